import type { Curve, JsonObject, MethodName, MethodParams } from '../protocol/messages.ts'
import { isObject, readFields, readOneOf, readOptional, readText, refused } from './read-fields.ts'
import { amountForm, hex32Form, serializedForm } from './text-forms.ts'

const curves: readonly Curve[] = ['secp256k1', 'ed25519']
/** Longer than any token that a server would take in a header. */
const tokenLengthMax = 16_384
/** The characters of a bearer token (RFC 6750, 2.1). */
const tokenForm = /^[A-Za-z0-9\-._~+/]+=*$/

type Readers = { readonly [name in MethodName]: (value: unknown) => MethodParams<name> }

const readers: Readers = {
  'session.set': (value) => {
    const { token } = readFields(value, ['token'])
    return { token: token === null ? null : readText(token, 'token', tokenForm, tokenLengthMax) }
  },
  'login.start': (value) => ({ email: readEmail(readFields(value, ['email'])['email']) }),
  'login.verify': (value) => {
    const { email, code } = readFields(value, ['email', 'code'])
    return { email: readEmail(email), code: readText(code, 'code', /^[0-9]{6}$/, 6) }
  },
  'wallet.create': readCurve,
  'wallet.import': readCurve,
  'device.state': readCurve,
  'device.wipe': readNothing,
  sign: (value) => {
    const fields = readFields(value, ['request'], ['batch'])
    const { request } = fields
    if (!isObject(request)) throw refused('`request` is not valid.')
    return {
      request,
      ...readOptional(fields, 'batch', (text, name) => readText(text, name, /^[0-9a-f]{32}$/)),
    }
  },
  'userop.send': (value) => {
    return readCallList(readFields(value, ['chain', 'calls']))
  },
  'calls.agree': (value) => {
    const fields = readFields(value, ['chain', 'calls', 'max_fee'])
    return { ...readCallList(fields), max_fee: readText(fields['max_fee'], 'max_fee', amountForm, 78) }
  },
  'transactions.agree': (value) => {
    const { chain, transactions } = readFields(value, ['chain', 'transactions'])
    if (!Array.isArray(transactions) || transactions.length > transactionsMax)
      throw refused('`transactions` is not valid.')
    return {
      chain: readText(chain, 'chain', /^[\s\S]+$/, 64),
      transactions: transactions.map((one: unknown) => readText(one, 'transactions', serializedForm)),
    }
  },
  'calls.show': (value) => {
    const fields = readFields(value, ['chain', 'calls', 'hashes', 'status'])
    const { hashes } = fields
    if (!Array.isArray(hashes)) throw refused('`hashes` is not valid.')
    return {
      ...readCallList(fields),
      hashes: hashes.map((hash: unknown) => (hash === null ? null : readText(hash, 'hashes', hex32Form))),
      status: readOneOf(fields['status'], 'status', callStates),
    }
  },
  'recovery.run': readCurve,
  'share.refresh': readCurve,
  'key.export': readCurve,
}

const transactionsMax = 64
const callStates = ['pending', 'confirmed', 'failed', 'partial'] as const

function readCallList({ chain, calls }: JsonObject): { chain: string; calls: readonly JsonObject[] } {
  if (!Array.isArray(calls) || !calls.every(isObject)) throw refused('`calls` is not valid.')
  return { chain: readText(chain, 'chain', /^[\s\S]+$/, 64), calls }
}

/** Anything that may be an address: the service normalizes and checks it. */
const readEmail = (value: unknown): string => readText(value, 'email', /^[\s\S]+$/, 1_024)

function readCurve(value: unknown): { curve: Curve } {
  return { curve: readOneOf(readFields(value, ['curve'])['curve'], 'curve', curves) }
}

function readNothing(value: unknown): Record<string, never> {
  readFields(value, [])
  return {}
}

/** Whether a text names a method; inherited names do not count. */
export function isMethodName(name: unknown): name is MethodName {
  return typeof name === 'string' && Object.hasOwn(readers, name)
}

/** The parameters of a method, exactly its fields, otherwise `invalid_request`. */
export function readParams<name extends MethodName>(method: name, value: unknown): MethodParams<name> {
  return readers[method](value)
}
