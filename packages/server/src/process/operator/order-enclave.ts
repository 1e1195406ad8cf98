import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject, randomBytes } from 'node:crypto'
import {
  type AttestationAnswer,
  type ExpectedEnclave,
  jwkThumbprint,
  type PublicJwk,
  verifyAttestation,
} from '@symbolon/crypto/attestation'
import {
  giveOrder,
  isOperatorJwk,
  ManifestError,
  type NewOrder,
  OperatorFrameError,
  type OperatorOrderName,
  type OperatorState,
  operatedEnclave,
  operatorOrders,
  readManifest,
  readPrivateFile,
  signersMin,
} from '@symbolon/crypto/node'
import { OperatorsChannelError, operatorsChannelHttp } from '../../adapters/operators-channel-http.ts'
import { systemClock } from '../../adapters/system.ts'
import { OperatorError } from './operator-failure.ts'

/** Where operators order, which enclave must take it, and the files of the keys (JWK) of those who sign. */
export type Operators = {
  baseUrl: string
  enclave: ExpectedEnclave
  keyFiles: readonly string[]
}

/**
 * Verifies the attestation of the platform's enclave and gives it an order, signed by these operators. Answers what the enclave did. Throws an
 * `OperatorError` where it is not the expected enclave, does not know the operators, or refuses.
 */
export async function orderEnclave(
  operators: Operators,
  order: NewOrder,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await orderOfState(operators, order.order, () => order)
  if (answer === undefined) throw new TypeError('an order was not given')
  return answer
}

/** The same with the order that `orderOf` makes of the enclave's state; undefined, and nothing ordered, where it makes none. */
export async function orderOfState(
  { baseUrl, enclave, keyFiles }: Operators,
  name: OperatorOrderName,
  orderOf: (state: OperatorState) => NewOrder | undefined,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const [first, ...others] = keyFiles.map((file) => ({ file, key: readOperatorKey(file) }))
  if (first === undefined) throw new OperatorError('Name an operator’s key with --operator-key.')
  try {
    const channel = operatorsChannelHttp(baseUrl)
    const nonce = randomBytes(32)
    const attested = await verified(baseUrl, enclave, await channel.attestation(nonce), nonce)
    const signers = [first, ...others]
    requireOperators(attested, signers, name)
    const target = operatedEnclave(attested)
    if (target === undefined) throw new OperatorError('The enclave attests no key for operators.')
    return await giveOrder(channel.send, target, orderOf, [first.key, ...others.map(({ key }) => key)])
  } catch (error) {
    throw asOperatorError(error)
  }
}

/** What an attestation says, once it is that of the expected enclave. */
async function verified(
  baseUrl: string,
  expected: ExpectedEnclave,
  attestation: unknown,
  nonce: Uint8Array,
): Promise<AttestationAnswer> {
  try {
    const report = await verifyAttestation({ attestation, nonce, nowMs: systemClock.nowMs(), ...expected })
    if (report.verdict === 'verified') return report.attestation
    const findings = report.findings.map(({ code, message }) => `${code}: ${message}`).join(' ')
    throw new OperatorError(
      `Nothing was ordered: the enclave at ${baseUrl} is not the expected one (${findings}).`,
    )
  } catch (error) {
    if (error instanceof TypeError) throw new OperatorError(`${baseUrl}: ${error.message}`)
    throw error
  }
}

/** Throws where the enclave would refuse for who signs: it says no more than that it does. */
function requireOperators(
  { manifest: given }: AttestationAnswer,
  signers: readonly { file: string; key: KeyObject }[],
  order: OperatorOrderName,
): void {
  const manifest = readManifest(given)
  const known = new Set(manifest.operators.map(jwkThumbprint))
  const kids = signers.map(({ file, key }) => ({ file, kid: kidOf(key) }))
  const stranger = kids.find(({ kid }) => !known.has(kid))
  if (stranger !== undefined)
    throw new OperatorError(
      `${stranger.file} is not the key of an operator: the enclave's manifest ${manifest.version} does not name it.`,
    )
  if (new Set(kids.map(({ kid }) => kid)).size < kids.length)
    throw new OperatorError('The same operator’s key was named twice.')
  const min = signersMin(operatorOrders[order], manifest)
  if (kids.length < min)
    throw new OperatorError(
      `This order needs ${min} operators; you named ${kids.length}. Repeat --operator-key.`,
    )
}

const kidOf = (key: KeyObject): string =>
  jwkThumbprint(createPublicKey(key).export({ format: 'jwk' }) as PublicJwk)

/** Reads an operator's private key, a JWK that only its owner can read. Throws an `OperatorError` that names the file alone. */
function readOperatorKey(file: string): KeyObject {
  try {
    const key = createPrivateKey({
      key: JSON.parse(readPrivateFile(file) ?? '') as JsonWebKey,
      format: 'jwk',
    })
    if (isOperatorJwk(createPublicKey(key).export({ format: 'jwk' }))) return key
  } catch {
    // The messages of parsers quote what they read.
  }
  throw new OperatorError(
    `${file} cannot be read as the key of an operator: it must be a private JWK on P-256, as symbolon enclave operator-key makes it, in a file of mode 0600.`,
  )
}

function asOperatorError(error: unknown): unknown {
  if (error instanceof OperatorsChannelError)
    return new OperatorError(
      error.code === 'forbidden'
        ? 'The enclave refused the order: another order came first, or its manifest or state has changed. Try again.'
        : error.message,
    )
  if (error instanceof OperatorFrameError)
    return new OperatorError('The answer is not from the enclave. The order may have been executed.')
  if (error instanceof ManifestError) return new OperatorError(error.message)
  return error
}
