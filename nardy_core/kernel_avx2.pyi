table: object
