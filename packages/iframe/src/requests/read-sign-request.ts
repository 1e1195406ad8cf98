import type { SignRequest } from '@symbolon/networks/request'
import type { JsonObject } from '../protocol/messages.ts'
import { readEvmTransaction } from './read-evm-transaction.ts'
import {
  isObject,
  readBoolean,
  readFields,
  readOneOf,
  readOptional,
  readText,
  refused,
} from './read-fields.ts'
import { readPreview } from './read-preview.ts'
import {
  base58KeyForm,
  base64Form,
  evmAddressForm,
  hex32Form,
  hexForm,
  quantity64Form,
  serializedForm,
} from './text-forms.ts'

const curves = ['secp256k1', 'ed25519'] as const
const everyField = ['curve', 'preview', 'dry_run']
const encodings = ['utf8', 'hex', 'base64'] as const
const messageFields = [
  'chain',
  'encoding',
  'smart_account',
  'scheme',
  'application_domain',
  'nonce',
  'recipient',
  'callback_url',
]

/**
 * A SignRequest as the HTTP API takes it, with exactly its fields, each of its form; otherwise `invalid_request`. The
 * decoders interpret it.
 */
export function readSignRequest(value: unknown): SignRequest {
  if (!isObject(value) || !Object.hasOwn(value, 'type')) throw refused('`type` is required.')
  switch (value['type']) {
    case 'message':
      return readMessage(value)
    case 'typed_data':
      return readTypedDataRequest(value)
    case 'transaction':
      return readTransaction(value)
    case 'hash':
    case 'user_operation':
      return readHash(value, value['type'])
    case 'authorization': {
      const fields = readFields(value, ['type', 'chain', 'contract', 'nonce'], everyField)
      return {
        type: 'authorization',
        ...every(fields),
        chain: chain(fields['chain'], 'chain'),
        contract: readText(fields['contract'], 'contract', evmAddressForm),
        nonce: readText(fields['nonce'], 'nonce', quantity64Form),
      }
    }
    default:
      throw refused('`type` is not valid.')
  }
}

function every(fields: JsonObject) {
  return {
    ...readOptional(fields, 'curve', (curve, name) => readOneOf(curve, name, curves)),
    ...readOptional(fields, 'preview', readPreview),
    ...readOptional(fields, 'dry_run', readBoolean),
  }
}

function chain(value: unknown, name: string): string {
  return readText(value, name, /^[\s\S]+$/, 64)
}

function readMessage(value: JsonObject): SignRequest {
  const fields = readFields(value, ['type', 'message'], [...everyField, ...messageFields])
  const encoding = readOptional(fields, 'encoding', (text, name) => readOneOf(text, name, encodings))
  const some = (lengthMax: number) => (text: unknown, name: string) =>
    readText(text, name, /^[\s\S]+$/, lengthMax)
  return {
    type: 'message',
    message: readText(fields['message'], 'message', messageForm(encoding['encoding'])),
    ...encoding,
    ...every(fields),
    ...readOptional(fields, 'chain', chain),
    ...readOptional(fields, 'smart_account', readBoolean),
    ...readOptional(fields, 'scheme', (scheme, name) => readOneOf(scheme, name, ['raw'])),
    ...readOptional(fields, 'application_domain', applicationDomain),
    ...readOptional(fields, 'nonce', some(256)),
    ...readOptional(fields, 'recipient', some(256)),
    ...readOptional(fields, 'callback_url', some(2_048)),
  }
}

function messageForm(encoding: string | undefined): RegExp | undefined {
  if (encoding === 'hex') return hexForm
  return encoding === 'base64' ? base64Form : undefined
}

function applicationDomain(value: unknown, name: string): string {
  return readText(
    value,
    name,
    typeof value === 'string' && value.startsWith('0x') ? hex32Form : base58KeyForm,
  )
}

function readTypedDataRequest(value: JsonObject): SignRequest {
  const fields = readFields(value, ['type', 'typed_data'], [...everyField, 'chain', 'smart_account'])
  return {
    type: 'typed_data',
    typed_data: readTypedData(fields['typed_data']),
    ...every(fields),
    ...readOptional(fields, 'chain', chain),
    ...readOptional(fields, 'smart_account', readBoolean),
  }
}

/** EIP-712 in the form of `eth_signTypedData_v4`; the decoder checks its values. */
function readTypedData(value: unknown): JsonObject {
  const { domain, types, primaryType, message } = readFields(value, [
    'domain',
    'types',
    'primaryType',
    'message',
  ])
  if (!isObject(domain) || !isObject(types) || !isObject(message))
    throw refused('The typed data is malformed.')
  readText(primaryType, 'primaryType', /^[\s\S]+$/, 256)
  for (const members of Object.values(types)) {
    if (!Array.isArray(members) || members.length > 256) throw refused('The typed data is malformed.')
    for (const member of members) {
      const { name, type } = readFields(member, ['name', 'type'])
      readText(name, 'name', undefined, 256)
      readText(type, 'type', /^[\s\S]+$/, 256)
    }
  }
  return value as JsonObject
}

function readTransaction(value: JsonObject): SignRequest {
  const fields = readFields(value, ['type', 'chain', 'transaction'], [...everyField, 'sign_mode'])
  const { transaction } = fields
  return {
    type: 'transaction',
    chain: chain(fields['chain'], 'chain'),
    transaction:
      typeof transaction === 'string'
        ? readText(transaction, 'transaction', serializedForm)
        : readEvmTransaction(transaction),
    ...every(fields),
    ...readOptional(fields, 'sign_mode', (mode, name) => readOneOf(mode, name, ['direct', 'amino_json'])),
  }
}

function readHash(value: JsonObject, type: 'hash' | 'user_operation'): SignRequest {
  const name = type === 'hash' ? 'hash' : 'user_op_hash'
  const fields = readFields(value, ['type', name], [...everyField, 'chain'])
  const hash = readText(fields[name], name, hex32Form)
  const rest = { ...every(fields), ...readOptional(fields, 'chain', chain) }
  return type === 'hash' ? { type, hash, ...rest } : { type, user_op_hash: hash, ...rest }
}
