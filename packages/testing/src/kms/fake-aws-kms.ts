import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto'
import { loopbackServer } from './loopback-server.ts'
import { type AwsCredentials, sigV4Fault } from './sigv4.ts'

/** A key of AWS KMS with its materials, oldest first. */
export type AwsKey = {
  state: 'Enabled' | 'Disabled'
  materials: { id: string; key: Buffer; rotatedAt: number | undefined }[]
}

/** AWS KMS at the level of its protocol. */
export type FakeAwsKms = {
  endpoint: string
  /** The keys, by ARN. */
  keys: Map<string, AwsKey>
  /** Name of each operation that came, with the exception it was answered with. */
  operations: string[]
  /** Takes requests and never answers from now on. */
  hang(): void
  /** Answers everything with 200 and this text from now on. */
  babble(text: string): void
  /** Answers the next `times` requests with this exception. */
  fail(exception: string, status: number, times: number): void
  stop(): Promise<void>
}

/** Makes a key of one material. */
export const awsKey = (): AwsKey => ({ state: 'Enabled', materials: [material(undefined)] })

const material = (rotatedAt: number | undefined) => ({
  id: createHash('sha256').update(randomUUID()).digest('hex'),
  key: randomBytes(32),
  rotatedAt,
})

/** A refusal in the words of AWS. */
class Exception extends Error {
  readonly status: number

  constructor(name: string, status = 400) {
    super(name)
    this.name = name
    this.status = status
  }
}

type Request = Readonly<Record<string, unknown>>
type Context = Readonly<Record<string, string>> | undefined
const pageMax = 2

/**
 * Starts one on a loopback port. It verifies every signature, binds ciphertexts to key and encryption context, names the key material of each
 * answer, and lists rotations in pages of two, newest first.
 */
export async function startFakeAwsKms(credentials: AwsCredentials): Promise<FakeAwsKms> {
  const keys = new Map<string, AwsKey>()
  const operations: string[] = []
  let isHanging = false
  let babbled: string | undefined
  let planned = { exception: '', status: 0, left: 0 }
  const { url, stop } = await loopbackServer((request, body, response) => {
    if (isHanging) return
    const operation = String(request.headers['x-amz-target']).replace(/^TrentService\./, '')
    const send = (status: number, content: object) =>
      response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': randomUUID() })
        .end(babbled ?? JSON.stringify(content))
    try {
      const fault = sigV4Fault(request, body, credentials)
      if (fault !== undefined) throw new Exception(fault, 403)
      if (planned.left > 0) {
        planned.left -= 1
        throw new Exception(planned.exception, planned.status)
      }
      if (request.headers['content-type'] !== 'application/x-amz-json-1.1')
        throw new Exception('UnknownOperationException')
      const result = perform(keys, operation, JSON.parse(body.toString()) as Request)
      operations.push(operation)
      send(200, result)
    } catch (error) {
      if (!(error instanceof Exception)) throw error
      operations.push(`${operation}: ${error.name}`)
      send(error.status, { __type: error.name, message: error.name })
    }
  })

  return {
    endpoint: url,
    keys,
    operations,
    babble(text) {
      babbled = text
    },
    hang() {
      isHanging = true
    },
    fail(exception, status, times) {
      planned = { exception, status, left: times }
    },
    stop,
  }
}

function perform(keys: Map<string, AwsKey>, operation: string, request: Request): object {
  const arn = String(request['KeyId'] ?? request['SourceKeyId'])
  const key = keys.get(arn)
  if (key === undefined) throw new Exception('NotFoundException')
  const context = request['EncryptionContext'] as Context
  if (operation === 'DescribeKey') return { KeyMetadata: described(arn, key) }
  if (operation === 'ListKeyRotations') return rotations(key, request)
  if (key.state !== 'Enabled') throw new Exception('DisabledException')
  const blob = Buffer.from(String(request['CiphertextBlob'] ?? ''), 'base64')
  switch (operation) {
    case 'GenerateDataKey': {
      if (request['KeySpec'] !== 'AES_256') throw new Exception('ValidationException')
      const dataKey = randomBytes(32)
      return { KeyId: arn, Plaintext: dataKey.toString('base64'), ...encrypted(arn, key, dataKey, context) }
    }
    case 'Decrypt': {
      const { plaintext, id } = decrypted(arn, key, blob, context)
      return { KeyId: arn, Plaintext: plaintext.toString('base64'), KeyMaterialId: id }
    }
    case 'ReEncrypt': {
      const source = decrypted(arn, key, blob, request['SourceEncryptionContext'] as Context)
      const toArn = String(request['DestinationKeyId'])
      const to = keys.get(toArn)
      if (to === undefined) throw new Exception('NotFoundException')
      const made = encrypted(toArn, to, source.plaintext, request['DestinationEncryptionContext'] as Context)
      return {
        CiphertextBlob: made.CiphertextBlob,
        KeyId: toArn,
        SourceKeyId: arn,
        SourceKeyMaterialId: source.id,
        DestinationKeyMaterialId: made.KeyMaterialId,
      }
    }
    case 'RotateKeyOnDemand':
      key.materials.push(material(Math.max(Date.now(), 1 + (key.materials.at(-1)?.rotatedAt ?? 0))))
      return { KeyId: arn }
    default:
      throw new Exception('UnknownOperationException')
  }
}

const described = (arn: string, { state, materials }: AwsKey) => ({
  Arn: arn,
  KeyId: arn.split('/').at(-1),
  KeyState: state,
  Enabled: state === 'Enabled',
  KeySpec: 'SYMMETRIC_DEFAULT',
  KeyUsage: 'ENCRYPT_DECRYPT',
  CurrentKeyMaterialId: materials.at(-1)?.id,
})

function rotations({ materials }: AwsKey, request: Request): object {
  const isWhole = request['IncludeKeyMaterial'] === 'ALL_KEY_MATERIAL'
  const entries = materials
    .map(({ id, rotatedAt }, index) => ({
      KeyMaterialId: id,
      KeyMaterialState: index === materials.length - 1 ? 'CURRENT' : 'NON_CURRENT',
      ...(rotatedAt !== undefined && { RotationDate: rotatedAt / 1000, RotationType: 'ON_DEMAND' }),
    }))
    .filter(({ RotationDate: date }) => isWhole || date !== undefined)
    .reverse()
  const from = Number(request['Marker'] ?? 0)
  const isTruncated = from + pageMax < entries.length
  return {
    Rotations: entries.slice(from, from + pageMax),
    Truncated: isTruncated,
    ...(isTruncated && { NextMarker: String(from + pageMax) }),
  }
}

/** What the ciphertext is bound to: the key and the encryption context, whatever the order of its members. */
const aad = (arn: string, context: Context) =>
  Buffer.from(JSON.stringify([arn, Object.entries(context ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))]))

/** Opaque to callers, as the real one: material, iv, tag, ciphertext. */
function encrypted(arn: string, { materials }: AwsKey, plaintext: Buffer, context: Context) {
  const newest = materials.at(-1)
  if (newest === undefined) throw new Exception('KMSInternalException', 500)
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', newest.key, iv).setAAD(aad(arn, context))
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  const blob = Buffer.concat([Buffer.from(newest.id, 'hex'), iv, cipher.getAuthTag(), ciphertext])
  return { CiphertextBlob: blob.toString('base64'), KeyMaterialId: newest.id }
}

function decrypted(arn: string, { materials }: AwsKey, blob: Buffer, context: Context) {
  const used = materials.find(({ id }) => id === blob.subarray(0, 32).toString('hex'))
  if (used === undefined || blob.length < 61) throw new Exception('InvalidCiphertextException')
  try {
    const decipher = createDecipheriv('aes-256-gcm', used.key, blob.subarray(32, 44), { authTagLength: 16 })
    decipher.setAAD(aad(arn, context)).setAuthTag(blob.subarray(44, 60))
    return { plaintext: Buffer.concat([decipher.update(blob.subarray(60)), decipher.final()]), id: used.id }
  } catch {
    throw new Exception('InvalidCiphertextException')
  }
}
