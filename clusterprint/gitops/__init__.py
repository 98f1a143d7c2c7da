"""How the review reaches people: workflows for forges, and the one comment that is kept up to date."""
