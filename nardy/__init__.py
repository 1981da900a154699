from nardy.variants import VARIANTS, variant
