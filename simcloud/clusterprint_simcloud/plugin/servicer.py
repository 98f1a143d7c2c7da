"""One provider as Terraform sees it: the plug-in protocol, version 6."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from tf.gen import tfplugin_pb2 as pb
from tf.gen import tfplugin_pb2_grpc as rpc

from clusterprint_simcloud.arguments import with_facts
from clusterprint_simcloud.cloud import faults, lifecycle
from clusterprint_simcloud.cloud.behaviour import Plan, Provider
from clusterprint_simcloud.cloud.contents import ApiError, Cloud
from clusterprint_simcloud.plugin import messages, planning, validating
from clusterprint_simcloud.plugin.encoding import pack, unpack
from clusterprint_simcloud.schema import Block, ProviderSchema
from clusterprint_simcloud.values import Value

# Handlers are named by the protocol, and get a gRPC context that none of them needs.
# ruff: noqa: N802, ARG002


_CAPABILITIES = pb.ServerCapabilities(plan_destroy=True, get_provider_schema_optional=True)


class Servicer(rpc.ProviderServicer):  # type: ignore[misc]  # generated without types
    """Serve one provider's schema and behaviour against a cloud."""

    def __init__(self, provider: Provider, schema: ProviderSchema, cloud: Cloud) -> None:
        self._provider = provider
        self._cloud = cloud
        self._config: dict[str, Any] = {}
        self._blocks: dict[str, Block] = {
            name: with_facts(block, provider.resources[name].arguments)
            for name, block in schema.resources.items()
            if name in provider.resources
        }
        self._data_blocks = {
            name: one for name, one in schema.data_sources.items() if name in provider.data_sources
        }
        self._provider_block = schema.provider

    # ---- schema and configuration

    @cached_property
    def _schema(self) -> pb.GetProviderSchema.Response:
        """Made when somebody asks: most worlds use one provider of several."""
        return pb.GetProviderSchema.Response(
            provider=messages.schema(self._provider_block),
            resource_schemas={name: messages.schema(block) for name, block in self._blocks.items()},
            data_source_schemas={name: messages.schema(block) for name, block in self._data_blocks.items()},
            server_capabilities=_CAPABILITIES,
        )

    def GetMetadata(self, request: Any, context: Any) -> pb.GetMetadata.Response:
        """The names of all types."""
        return pb.GetMetadata.Response(
            server_capabilities=_CAPABILITIES,
            resources=[pb.GetMetadata.ResourceMetadata(type_name=name) for name in self._blocks],
            data_sources=[pb.GetMetadata.DataSourceMetadata(type_name=name) for name in self._data_blocks],
        )

    def GetProviderSchema(self, request: Any, context: Any) -> pb.GetProviderSchema.Response:
        """All schemas."""
        return self._schema

    def GetFunctions(self, request: Any, context: Any) -> pb.GetFunctions.Response:
        """No functions."""
        return pb.GetFunctions.Response()

    def ValidateProviderConfig(self, request: Any, context: Any) -> pb.ValidateProviderConfig.Response:
        """Terraform has checked it against the schema."""
        return pb.ValidateProviderConfig.Response()

    def ConfigureProvider(self, request: Any, context: Any) -> pb.ConfigureProvider.Response:
        """Remember the project, region and zone; fail as expired credentials would, if a fault says so."""
        self._config = unpack(request.config) or {}
        fault = faults.due(self._cloud, "configure", self._provider.name, self._config)
        return pb.ConfigureProvider.Response(diagnostics=_failure(fault))

    def ValidateResourceConfig(self, request: Any, context: Any) -> pb.ValidateResourceConfig.Response:
        """Conflicts, combinations, enumerations, patterns."""
        arguments = self._provider.resources[request.type_name].arguments
        problems = validating.check(arguments, unpack(request.config) or {})
        found = [messages.error(one.summary, one.detail, one.path) for one in problems]
        return pb.ValidateResourceConfig.Response(diagnostics=found)

    def ValidateDataResourceConfig(
        self, request: Any, context: Any
    ) -> pb.ValidateDataResourceConfig.Response:
        """Terraform has checked it against the schema."""
        return pb.ValidateDataResourceConfig.Response()

    def StopProvider(self, request: Any, context: Any) -> pb.StopProvider.Response:
        """Nothing runs that would need to be stopped."""
        return pb.StopProvider.Response()

    # ---- state

    def UpgradeResourceState(self, request: Any, context: Any) -> pb.UpgradeResourceState.Response:
        """The state as it was written, as JSON: decoding it here would break dynamically typed values.

        Another version of the provider may have written it.
        """
        state = lifecycle.conformed(self._blocks[request.type_name], json.loads(request.raw_state.json))
        return pb.UpgradeResourceState.Response(
            upgraded_state=pb.DynamicValue(json=json.dumps(state).encode())
        )

    def ReadResource(self, request: Any, context: Any) -> pb.ReadResource.Response:
        """The state of a resource in the cloud, or None."""
        current = unpack(request.current_state)
        fault = faults.due(self._cloud, "read", request.type_name, current)
        if fault is not None and fault.error:
            return pb.ReadResource.Response(diagnostics=_failure(fault))
        record = self._cloud.get(request.type_name, _identity(request.private, current))
        state = lifecycle.conformed(self._blocks[request.type_name], record.state) if record else None
        if state is not None:
            virtual = (*self._provider.given, *self._provider.resources[request.type_name].virtual)
            state |= {name: current[name] for name in virtual if current.get(name) is not None}
        return pb.ReadResource.Response(new_state=pack(state), private=request.private)

    def ImportResourceState(self, request: Any, context: Any) -> pb.ImportResourceState.Response:
        """Find a resource by its id, or by the end of it as the providers allow.

        Where there is none, the next read finds nothing, and Terraform itself says so: as with the providers.
        """
        records = self._cloud.read().of(request.type_name)
        found = [one for one in records if one.id == request.id or one.id.endswith(f"/{request.id}")]
        if len(found) == 1:
            state, identity = found[0].state, found[0].id
        else:
            block = self._blocks[request.type_name]
            state, identity = lifecycle.conformed(block, {"id": request.id}), request.id
        imported = pb.ImportResourceState.ImportedResource(
            type_name=request.type_name, state=pack(state), private=identity.encode()
        )
        return pb.ImportResourceState.Response(imported_resources=[imported])

    # ---- plan and apply

    def PlanResourceChange(self, request: Any, context: Any) -> pb.PlanResourceChange.Response:
        """The planned change of a resource, and whether it forces replacement."""
        prior, state = unpack(request.prior_state), unpack(request.proposed_new_state)
        fault = faults.due(self._cloud, "plan", request.type_name, prior if state is None else state)
        if fault is not None and fault.error:
            return pb.PlanResourceChange.Response(diagnostics=_failure(fault))
        if state is None:
            return self._planned(request, None)
        kind = self._provider.resources[request.type_name]
        draft = Plan(self._cloud, unpack(request.config), prior, state, self._config)
        planning.plan(self._provider, kind, self._blocks[kind.name], draft)
        return self._planned(request, draft)

    def _planned(self, request: Any, draft: Plan | None) -> pb.PlanResourceChange.Response:
        # legacy_type_system: the freedoms of the providers' SDK, e.g. defaults that the provider fills in.
        return pb.PlanResourceChange.Response(
            planned_state=pack(draft.state if draft else None),
            requires_replace=[messages.path(path) for path in (draft.replace if draft else ())],
            planned_private=request.prior_private,
            legacy_type_system=True,
            diagnostics=[messages.error(text) for text in (draft.errors if draft else ())],
        )

    def ApplyResourceChange(self, request: Any, context: Any) -> pb.ApplyResourceChange.Response:
        """Do it in the cloud, with the faults that are due."""
        prior, state = unpack(request.prior_state), unpack(request.planned_state)
        operation = "create" if prior is None else "delete" if state is None else "update"
        subject = prior if state is None else state
        fault = faults.due(self._cloud, operation, request.type_name, subject) or faults.Fault("create")
        kind = self._provider.resources[request.type_name]
        time.sleep(fault.delay + (kind.pause(state) if prior is None else 0))
        if fault.crash and not fault.after:
            self._cloud.crash()
        if fault.error and not fault.after:
            self._cloud.log(operation=operation, type=request.type_name, id=_name(subject), error=fault.error)
            return _applied(prior, request.planned_private, _failure(fault))
        try:
            result, identity, failed = self._apply(request, operation, prior, state, fault.error)
        except ApiError as error:
            self._cloud.log(operation=operation, type=request.type_name, id=_name(subject), error=str(error))
            return _applied(prior, request.planned_private, [messages.error(str(error))])
        self._cloud.log(operation=operation, type=request.type_name, id=identity)
        if fault.crash:
            self._cloud.crash()
        if fault.error and state is None:  # where a delete has failed, the provider keeps it in the state
            return _applied(prior, request.planned_private, _failure(fault))
        if failed or (fault.lost and prior is None):
            return _applied(None, b"", [messages.error(failed)] if failed else _failure(fault))
        return _applied(result, b"" if result is None else identity.encode(), _failure(fault))

    def _apply(
        self, request: Any, operation: str, prior: Value, state: Value, error: str
    ) -> tuple[Value, str, str]:
        """The new state, the id, and how a create failed of which there is no state."""
        kind = self._provider.resources[request.type_name]
        block = self._blocks[kind.name]
        with self._cloud.open() as contents:
            wanted = prior if state is None else state
            change = lifecycle.Change(prior, wanted, config=self._config)
            if prior is not None:
                identity = _identity(request.planned_private, prior)
                change = replace(change, identity=lifecycle.found(kind, contents, change, identity))
            if operation == "create":
                record = lifecycle.create(self._provider, kind, block, contents, change)
                failed = self._provider.settle(contents, record, error)
                return copy.deepcopy(record.state), record.id, failed
            if operation == "delete":
                lifecycle.delete(self._provider, kind, contents, change)
                return None, change.identity, ""
            record = lifecycle.update(self._provider, kind, block, contents, change)
            return copy.deepcopy(record.state), record.id, ""

    def ReadDataSource(self, request: Any, context: Any) -> pb.ReadDataSource.Response:
        """Look something up in the cloud."""
        config = unpack(request.config)
        source = self._provider.data_sources[request.type_name]
        inherited = {name: self._config.get(name) for name in self._provider.inherited}
        asked = inherited | {name: value for name, value in config.items() if value is not None}
        try:
            with self._cloud.open() as contents:
                found = {**inherited, **copy.deepcopy(source.read(contents, asked))}
        except ApiError as error:
            return pb.ReadDataSource.Response(diagnostics=[messages.error(str(error))])
        state = {name: found.get(name, value) if value is None else value for name, value in config.items()}
        block = self._data_blocks[source.name]
        lifecycle.fill_unknown(block, state, lambda _path, _notation: None)
        # Tables are about resources: a data source is that of the wheel, and knows less of what it looks at.
        return pb.ReadDataSource.Response(state=pack(lifecycle.conformed(block, state)))


def _identity(private: bytes, state: Value) -> str:
    """The cloud's id: kept beside the state, as not every type has an `id`."""
    return private.decode() or str((state or {}).get("id") or "")


def _name(state: Value) -> str:
    name = state.get("id") or state.get("name")
    return name if isinstance(name, str) else ""


def _failure(fault: faults.Fault | None) -> list[pb.Diagnostic]:
    return [messages.error(fault.error)] if fault is not None and fault.error else []


def _applied(
    state: Value, private: bytes, problems: Sequence[pb.Diagnostic]
) -> pb.ApplyResourceChange.Response:
    return pb.ApplyResourceChange.Response(
        new_state=pack(state), private=private, legacy_type_system=True, diagnostics=list(problems)
    )
