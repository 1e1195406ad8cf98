import { toHex } from '../codec/hex.ts'
import { isSameBytes } from '../codec/same-bytes.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { readAsset } from './assets.ts'
import { describeCall } from './contract-calls.ts'
import { readContractAddress, readContractValue, readExecutable, readSymbol } from './contract-values.ts'
import { type ContractMethod, describe, type OperationScope } from './operation-scope.ts'
import type { XdrReader } from './xdr-reader.ts'

const unbounded = Number.POSITIVE_INFINITY

/**
 * INVOKE_HOST_FUNCTION: the call itself, then whatever else the source account authorizes by the same signature,
 * since contracts may use it.
 */
export function invokeHostFunction(reader: XdrReader, scope: OperationScope): DescribedAction[] {
  const kind = reader.tag(4)
  const start = reader.position()
  const called = readHostFunction(kind, reader, scope)
  const bytes = reader.since(start)
  const authorized = reader.list(unbounded, (entry) => readAuthorization(entry, scope))
  // The root of one authorization is mostly the call itself, byte for byte: it is described once.
  const own = authorized.find(
    ([root]) => root !== undefined && root.kind === authorizedKinds[kind] && isSameBytes(root.bytes, bytes),
  )
  const further = authorized.flatMap((entry) => (entry === own ? entry.slice(1) : entry))
  return [called, ...further.map(({ described }) => described)]
}

/** EXTEND_FOOTPRINT_TTL: only a fee. */
export function extendFootprintTtl(reader: XdrReader, scope: OperationScope): DescribedAction {
  reader.tag(1)
  const args = { extend_to: reader.u32().toString() }
  return describe('call', 'extend_footprint_ttl', scope, {
    title: 'Extend the life of contract data',
    to: scope.source,
    args,
  })
}

/** RESTORE_FOOTPRINT: only a fee. */
export function restoreFootprint(reader: XdrReader, scope: OperationScope): DescribedAction {
  reader.tag(1)
  return describe('call', 'restore_footprint', scope, { title: 'Restore contract data', to: scope.source })
}

/** SorobanAuthorizedFunctionType by HostFunctionType: call, creation, (upload), creation with arguments. */
const authorizedKinds: readonly (number | undefined)[] = [0, 1, undefined, 2]

type Authorized = { readonly kind: number; readonly bytes: Uint8Array; readonly described: DescribedAction }

function readHostFunction(kind: number, reader: XdrReader, scope: OperationScope): DescribedAction {
  if (kind === 0) return readCall(reader, scope)
  if (kind !== 2) return readCreation(reader, scope, kind === 3)
  const args = { size: `${reader.opaque().length} bytes` }
  return describe('call', 'upload_contract', scope, {
    title: 'Upload contract code',
    args,
    warning: creationWarning,
  })
}

const creationWarning = 'This creates a contract.'

function readCall(reader: XdrReader, scope: OperationScope): DescribedAction {
  const contract = readContractAddress(reader)
  const method = readSymbol(reader) as ContractMethod
  return describeCall({ contract, method, args: reader.list(unbounded, readContractValue) }, scope)
}

function readCreation(reader: XdrReader, scope: OperationScope, hasArguments: boolean): DescribedAction {
  const from =
    reader.tag(2) === 0
      ? `${readContractAddress(reader)} with salt ${toHex(reader.fixed(32))}`
      : readAsset(reader, scope.chain).id
  const executable = readExecutable(reader)
  const values = hasArguments ? reader.list(unbounded, (item) => readContractValue(item).text) : []
  return describe('call', 'create_contract', scope, {
    title: 'Create a contract',
    args: { from, executable, ...(values.length > 0 && { arguments: values.join(', ') }) },
    warning: creationWarning,
  })
}

/** What an entry lets contracts do for the source account; entries of other accounts carry their own signature. */
function readAuthorization(reader: XdrReader, scope: OperationScope): Authorized[] {
  const isOfSource = reader.tag(2) === 0
  if (!isOfSource) {
    readContractAddress(reader)
    reader.i64()
    reader.u32()
    readContractValue(reader)
  }
  const invocations = readInvocation(reader, scope)
  return isOfSource ? invocations : []
}

function readInvocation(reader: XdrReader, scope: OperationScope): Authorized[] {
  return reader.nested(() => {
    const kind = reader.tag(3)
    const start = reader.position()
    const described = kind === 0 ? readCall(reader, scope) : readCreation(reader, scope, kind === 2)
    const bytes = reader.since(start)
    const inner = reader.list(unbounded, (item) => readInvocation(item, scope)).flat()
    return [{ kind, bytes, described }, ...inner]
  })
}
