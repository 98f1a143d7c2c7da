from clusterprint.exit_codes import MEANINGS, Code
from clusterprint.review.verdict import ALLOWED, FAILED, FORBIDDEN, NO_CHANGE, PROBLEMS


def test_each_code_has_a_meaning_and_its_own_number() -> None:
    assert list(MEANINGS) == list(Code)
    assert len({int(each) for each in Code}) == len(Code)


def test_a_review_says_the_same() -> None:
    said = (NO_CHANGE, PROBLEMS, FAILED, ALLOWED, FORBIDDEN)
    assert said == (Code.DONE, Code.PROBLEMS, Code.FAILED, Code.CHANGES, Code.FORBIDDEN)
