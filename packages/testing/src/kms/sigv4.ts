import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Who may call, and where: the credentials of a fake. */
export type AwsCredentials = { accessKeyId: string; secretAccessKey: string; region: string }

const authorization =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/
const signedAlways = ['host', 'x-amz-date', 'x-amz-target']
const ageMaxMs = 300_000

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()

/**
 * The name of the exception that AWS answers a request with because of its signature (Signature Version 4, AWS General Reference); undefined
 * where the signature is right and at most five minutes old.
 */
export function sigV4Fault(
  request: IncomingMessage,
  body: Uint8Array,
  { accessKeyId, secretAccessKey, region }: AwsCredentials,
): string | undefined {
  const parsed = authorization.exec(request.headers.authorization ?? '')
  if (parsed === null) return 'MissingAuthenticationTokenException'
  const [, id, day = '', at = '', service = '', list = '', signature = ''] = parsed
  if (id !== accessKeyId || at !== region || service !== 'kms') return 'UnrecognizedClientException'
  const time = String(request.headers['x-amz-date'])
  const iso = time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  if (!(Math.abs(Date.now() - Date.parse(iso)) <= ageMaxMs) || !time.startsWith(day))
    return 'InvalidSignatureException'
  const names = list.split(';')
  if (signedAlways.some((name) => !names.includes(name))) return 'IncompleteSignature'
  const headers = names.map((name) => `${name}:${String(request.headers[name]).trim().replace(/\s+/g, ' ')}`)
  const canonical = [request.method, request.url, '', ...headers, '', list, sha256(body)].join('\n')
  const scope = `${day}/${at}/${service}/aws4_request`
  const key = ['kms', 'aws4_request'].reduce(
    (previous, part) => hmac(previous, part),
    hmac(hmac(`AWS4${secretAccessKey}`, day), at),
  )
  const expected = hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n'))
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? undefined : 'InvalidSignatureException'
}
