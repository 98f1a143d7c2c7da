"""Names of Azure resources derived from the name of a cluster, and their limits.

resolve takes names from here and nowhere else, and a rule compares each with what Azure allows.
"""

import hashlib
import re

from clusterprint.derived.name_forms import Derived, Form, OfOne, OfTwo

_PLAIN = re.compile(r"[A-Za-z0-9]([-_.A-Za-z0-9]*[_A-Za-z0-9])?")

# Azure: naming rules and restrictions for Azure resources; the provider's own checks of machine names.
NETWORK_RESOURCE = Form("letters, digits, hyphens, underscores and dots", _PLAIN, 1, 80)
VIRTUAL_NETWORK = Form("letters, digits, hyphens, underscores and dots", _PLAIN, 2, 64)
VIRTUAL_MACHINE = Form(
    "letters, digits and hyphens", re.compile(r"[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?"), 1, 64
)
HOST_PREFIX = Form("letters, digits and hyphens", re.compile(r"[A-Za-z0-9][-A-Za-z0-9]*"), 1, 58)
IDENTITY = Form("letters, digits, hyphens and underscores", re.compile(r"[A-Za-z0-9][-_A-Za-z0-9]*"), 3, 128)
RESOURCE_GROUP = Form("letters, digits and -_.()", re.compile(r"[-\w.()]*[-\w()]", re.ASCII), 1, 90)
STORAGE_ACCOUNT = Form("lower-case letters and digits", re.compile(r"[a-z0-9]+"), 3, 24)
LUSTRE = Form(
    "letters, digits, hyphens and underscores", re.compile(r"[A-Za-z0-9]([-_A-Za-z0-9]*[A-Za-z0-9])?"), 2, 80
)
TAG_VALUE = Form("any characters", re.compile(r".*"), 0, 256)

#: The subnet that Bastion lives in has to have this name.
BASTION_SUBNET = "AzureBastionSubnet"

#: The resource group, where the blueprint names none.
resource_group: OfOne = "{}-rg".format
#: The virtual network of a cluster.
virtual_network: OfOne = "{}-vnet".format
#: The subnet of all machines.
subnet: OfOne = "{}-nodes".format
#: The network security group of all machines.
security_group: OfOne = "{}-nsg".format
#: The NAT gateway.
nat_gateway: OfOne = "{}-nat".format
#: The Bastion host.
bastion: OfOne = "{}-bastion".format
#: The load balancer that forwards ports to nodes.
load_balancer: OfOne = "{}-lb".format
#: The public address of a head, a NAT gateway, a Bastion host or a load balancer.
public_ip: OfOne = "{}-ip".format
#: The virtual machine of the head, and its host name.
head: OfOne = "{}-head".format


def head_interface(name: str) -> str:
    """The network interface of the head."""
    return f"{head(name)}-nic"


#: The scale set; one of the other sort has another name, for it may be made while the first one goes.
scale_set: OfTwo = "{}-{}".format
#: The default prefix of the host names of nodes.
#: Azure appends six characters.
node_prefix: OfOne = "{}-".format
#: Who the head is when it calls Azure.
head_identity: OfOne = "{}-head".format
#: Who the nodes are when they call Azure.
node_identity: OfOne = "{}-nodes".format
#: The proximity placement group.
proximity_group: OfOne = "{}-ppg".format


def storage_account(name: str, share: str, subscription: str) -> str:
    """The storage account of a share. No two accounts in the world have one name, so a checksum is in it."""
    plain = re.sub("[^a-z0-9]", "", name)[:14]
    return f"{plain}{hashlib.sha256(f'{subscription}/{name}/{share}'.encode()).hexdigest()[:10]}"


#: The Lustre file system that a cluster creates.
lustre: OfOne = "{}-lustre".format
#: The subnet that it has for itself.
lustre_subnet = lustre


def resource_id(subscription: str, group: str, kind: str, name: str) -> str:
    """The id of a resource; `kind` is its type, such as `Microsoft.Compute/virtualMachines`."""
    return f"/subscriptions/{subscription}/resourceGroups/{group}/providers/{kind}/{name}"


_NO_SUBSCRIPTION = "00000000-0000-0000-0000-000000000000"

_VMSS: tuple[Derived, ...] = (
    Derived("resource group", resource_group, RESOURCE_GROUP),
    Derived("virtual network", virtual_network, VIRTUAL_NETWORK),
    Derived("subnet", subnet, NETWORK_RESOURCE),
    Derived("network security group", security_group, NETWORK_RESOURCE),
    Derived("NAT gateway", nat_gateway, NETWORK_RESOURCE),
    Derived("Bastion host", bastion, NETWORK_RESOURCE),
    Derived("load balancer", load_balancer, NETWORK_RESOURCE),
    Derived("public address", lambda name: public_ip(bastion(name)), NETWORK_RESOURCE),
    Derived("head", head, VIRTUAL_MACHINE),
    Derived("network interface of the head", head_interface, NETWORK_RESOURCE),
    Derived("scale set", lambda name: scale_set(name, "flexible"), VIRTUAL_MACHINE),
    Derived("prefix of host names", node_prefix, HOST_PREFIX),
    Derived("identity of the head", head_identity, IDENTITY),
    Derived("identity of the nodes", node_identity, IDENTITY),
    Derived("proximity placement group", proximity_group, NETWORK_RESOURCE),
    Derived("storage account", lambda name: storage_account(name, "", _NO_SUBSCRIPTION), STORAGE_ACCOUNT),
    Derived("Lustre file system", lustre, LUSTRE),
    Derived("subnet of the Lustre file system", lustre_subnet, NETWORK_RESOURCE),
    Derived("tag clusterprint", lambda name: name, TAG_VALUE),
)

# What the resources of each kind on Azure are called.
AZURE: dict[str, tuple[Derived, ...]] = {"vmss": _VMSS}
