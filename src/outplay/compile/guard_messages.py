"""The messages of guards: `diagnose.py` recognises each and explains it in a sentence with a remedy."""

from outplay.compile.arena import TOO_MUCH

# Compiled rules raise these, at the line that runs.
TOO_LARGE = "an int needs more than 63 bits"
BELOW_ZERO = "an unsigned int leaves its range"
NOT_EXACT = "an int is too large for a float"
NEGATIVE_SHIFT = "negative shift count"
NEGATIVE_POWER = "an int to a negative power"
NOT_OF_A_BOOL = "not of a bool"
NOT_REAL = "math domain error"
NOT_ROUNDED = "a number is too large to be rounded"
NOT_ALIKE = "Python and NumPy round a number differently"
UNORDERED = "a number that is not a number is sorted"
NO_VALUE = "no value"
NARROW = "an int of NumPy is too small"
NOT_HELD = "an array cannot hold it"
OVERLAP = "an array is computed from a shifted part of itself"
FAR_SHIFT = "an array is shifted too far"
NOT_COUNTED = "a negative number cannot be counted"
NO_OPERATOR = "NumPy has no such operator for its bools"

# Python would raise nothing there, so the rule's own except must not see these.
COMPILED_ONLY = (
    *(TOO_LARGE, BELOW_ZERO, NEGATIVE_POWER, NOT_HELD, NARROW, NOT_OF_A_BOOL, NOT_ROUNDED, OVERLAP, NOT_ALIKE, TOO_MUCH),
    *(NO_OPERATOR, NOT_EXACT, FAR_SHIFT, UNORDERED),
)

# The compiler refuses a rule with these.
LARGE = "a constant of more than 63 bits"
NO_TEXT = "the text of a value other than an int"
OPERATOR = "a function of the module operator has no guards"
OF_A_SET = "the order of a set"
UNSTABLE = "argsort without kind"
PARTED = "the order of a partition"
OTHER_SUM = "floats are added in another order"
HANDED = "a number or an array of NumPy is handed to a function that cannot have guards for it"
BY_IDENTITY = "values are compared by is"
HASH_OF_TEXT = "the hash of a text"
MASK = "a mask of several dimensions is an index"
SMALL_FLOAT = "float32 or float16 in a rule"
OTHER_TYPE = "NumPy computes a number of another type"
SIGN = "the sign of an unsigned number"
