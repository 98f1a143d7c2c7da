"""Source "Terraform plan": what `terraform show -json PLANFILE` says, of any stack."""

from clusterprint.review.terraform_plan.gather import gather_plans

__all__ = ["gather_plans"]
