import { invalidPayload } from '../network-error.ts'
import { displayAddress } from './address.ts'
import type { BcsReader } from './bcs-reader.ts'

/** Move's types by their variant; 6 (vector) and 7 (struct) have fields. */
const primitives =
  'bool u8 u64 u128 address signer vector struct u16 u32 u256 i8 i16 i32 i64 i128 i256'.split(' ')
const vectorVariant = 6
const structVariant = 7
/** Nodes refuse types nested deeper (MAX_TYPE_TAG_NESTING of move-core-types). */
const depthMax = 8

/** All types of a list together; nodes allow no more for one (`max_type_nodes` of aptos-core). */
const nodesMax = 256
/** Their text together: a preview shows a type with every receiver. */
const lettersMax = 4_096

/** The texts of a list of Move types, for example `0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin>`. */
export function readTypeTags(reader: BcsReader): readonly string[] {
  const nodes = { left: nodesMax }
  const types = reader.list(() => readTypeTag(reader, nodes, 0))
  const letters = types.reduce((sum, { length }) => sum + length, 0)
  if (letters > lettersMax)
    throw invalidPayload(`The types of the transaction are longer than ${lettersMax} letters.`)
  return types
}

function readTypeTag(reader: BcsReader, nodes: { left: number }, depth: number): string {
  nodes.left -= 1
  if (nodes.left < 0) throw invalidPayload(`The transaction has more than ${nodesMax} types.`)
  const variant = reader.length()
  const primitive = primitives[variant]
  if (primitive === undefined || depth > depthMax)
    throw invalidPayload('A type of the transaction is unknown.')
  const inner = () => readTypeTag(reader, nodes, depth + 1)
  if (variant === vectorVariant) return `vector<${inner()}>`
  if (variant !== structVariant) return primitive
  const name = `${displayAddress(reader.address())}::${reader.identifier()}::${reader.identifier()}`
  const parameters = reader.list(inner)
  return parameters.length === 0 ? name : `${name}<${parameters.join(', ')}>`
}
