import { expect, test } from 'vitest'
import { type AuditKeys, importKeys, signerOf } from './audit-keys.ts'
import type { CheckpointNote } from './checkpoint-note.ts'

// The example of the C2SP signed-note specification, which others' implementations verify.
const vkey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
const text =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
const line = 'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM='

const bytes = Buffer.from(line, 'base64')
const note: CheckpointNote = {
  text,
  head: { host: 'PeterNeumann', organizationId: '', size: 0, root: new Uint8Array(), at: '' },
  signatures: [
    {
      name: 'PeterNeumann',
      keyId: new Uint8Array(bytes.subarray(0, 4)),
      signature: new Uint8Array(bytes.subarray(4)),
    },
  ],
}
const x = Buffer.from(vkey.split('+').slice(2).join('+'), 'base64').subarray(1).toString('base64url')
const keys: AuditKeys = { keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid: 'peter' }] }

test('the example note of the specification is signed by the key that it names', async () => {
  expect(await signerOf(note, await importKeys(keys))).toMatchObject({ kid: 'peter' })
})

test('not so another text, under another name, or by another key', async () => {
  const imported = await importKeys(keys)
  expect(await signerOf({ ...note, text: text.replace('your', 'my') }, imported)).toBe('forged')
  expect(await signerOf({ ...note, head: { ...note.head, host: 'Peter' } }, imported)).toBe('unknown')
  expect(await signerOf({ ...note, signatures: [] }, imported)).toBe('unknown')
  expect(await signerOf(note, [])).toBe('unknown')
})

test('keys that are no Ed25519 keys are left out', async () => {
  const others = [
    { kty: 'EC', crv: 'P-256', x },
    { kty: 'OKP', crv: 'X25519', x },
    { kty: 'OKP', crv: 'Ed25519', x: `${x}A` },
    {},
  ]
  expect(await importKeys({ keys: others })).toEqual([])
})
