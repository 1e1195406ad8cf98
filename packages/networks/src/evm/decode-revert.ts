import { fromHex0x, type Hex, toHex, toHex0x } from '../codec/hex.ts'
import { decodeUtf8 } from '../codec/utf8.ts'
import { plainText } from '../preview/plain-text.ts'
import { type AbiReader, readCallData } from './abi-reader.ts'
import { selectorOf } from './selector.ts'

/** The EntryPoint keeps at most 2,048 bytes of a revert; of longer ones only the start is shown. */
const shownBytesMax = 2048
const textMax = 512

/** Codes of `Panic(uint256)` (Solidity documentation, "Panic via assert and Error via require"). */
const panics: Readonly<Record<string, string>> = {
  '1': 'assertion failed',
  '17': 'arithmetic overflow or underflow',
  '18': 'division by zero',
  '33': 'conversion to an enum out of range',
  '34': 'malformed storage byte array',
  '49': 'pop from an empty array',
  '50': 'array index out of bounds',
  '65': 'too much memory allocated',
  '81': 'call of an uninitialised function',
}

/** Errors by their signatures: the EntryPoint's, the account's, those of tokens (ERC-6093). */
const errors = [
  'Error(string)',
  'Panic(uint256)',
  'FailedOp(uint256,string)',
  'FailedOpWithRevert(uint256,string,bytes)',
  'PostOpReverted(bytes)',
  'SignatureValidationFailed(address)',
  'InvalidSignatureType()',
  'NotAuthorized(address)',
  'ArrayLengthMismatch()',
  'InvalidOwner(address)',
  'ECDSAInvalidSignature()',
  'ECDSAInvalidSignatureLength(uint256)',
  'ECDSAInvalidSignatureS(bytes32)',
  'ERC20InsufficientBalance(address,uint256,uint256)',
  'ERC20InsufficientAllowance(address,uint256,uint256)',
  'ERC20InvalidSender(address)',
  'ERC20InvalidReceiver(address)',
  'ERC20InvalidApprover(address)',
  'ERC20InvalidSpender(address)',
  'ERC721NonexistentToken(uint256)',
  'ERC721IncorrectOwner(address,uint256,address)',
  'ERC721InsufficientApproval(address,uint256)',
  'ERC721InvalidReceiver(address)',
  'ERC1155InsufficientBalance(address,uint256,uint256,uint256)',
  'ERC1155MissingApprovalForAll(address,address)',
  'OwnableUnauthorizedAccount(address)',
] as const

const bySelector: ReadonlyMap<string, { name: string; types: readonly string[] }> = new Map(
  errors.map((signature) => {
    const open = signature.indexOf('(')
    const types = signature.slice(open + 1, -1)
    return [
      selectorOf(signature),
      { name: signature.slice(0, open), types: types === '' ? [] : types.split(',') },
    ]
  }),
)

/**
 * The text of a revert for people: the reason of `Error(string)`, `Panic` in words, a known error with its arguments,
 * otherwise the raw hex. It is one line without hidden characters, but the words are the contract's.
 */
export function decodeRevert(data: Hex): string {
  const bytes = fromHex0x(data, true)
  if (!bytes) return 'malformed revert data'
  return readError(bytes, 0) || rawHex(bytes)
}

function readError(bytes: Uint8Array, depth: number): string | undefined {
  const known = bytes.length < 4 || depth > 2 ? undefined : bySelector.get(toHex(bytes.subarray(0, 4)))
  if (!known) return undefined
  const values = readCallData(bytes, known.types.length, (reader) =>
    known.types.map((type) => readValue(type, reader, depth)),
  )
  if (values === undefined || values.includes(undefined)) return undefined
  return describe(known.name, values as string[])
}

function readValue(type: string, reader: AbiReader, depth: number): string | undefined {
  switch (type) {
    case 'address':
      return reader.address()
    case 'uint256':
      return reader.uint().toString()
    case 'bytes32':
      return toHex0x(reader.word())
    case 'bytes': {
      const inner = reader.bytes()
      return readError(inner, depth + 1) ?? rawHex(inner)
    }
    default: {
      const text = decodeUtf8(reader.bytes())
      const shown = text === undefined ? undefined : plainText(text)
      return shown === undefined || shown.length <= textMax ? shown : `${shown.slice(0, textMax)}…`
    }
  }
}

function describe(name: string, values: readonly string[]): string {
  const [first = '', second = '', inner = ''] = values
  switch (name) {
    case 'Error':
      return first
    case 'Panic':
      return `Panic: ${panics[first] ?? `code ${first}`}`
    case 'FailedOp':
      return second
    case 'FailedOpWithRevert':
      return `${second}: ${inner}`
    default:
      return `${name}(${values.join(', ')})`
  }
}

function rawHex(bytes: Uint8Array): string {
  if (bytes.length <= shownBytesMax) return toHex0x(bytes)
  return `${toHex0x(bytes.subarray(0, shownBytesMax))}…`
}
