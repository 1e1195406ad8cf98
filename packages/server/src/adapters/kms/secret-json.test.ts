import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { cutSecret, pasteSecret } from './secret-json.ts'

const bytes = (text: string) => Uint8Array.from(Buffer.from(text))

test('a secret of any length comes out of the JSON, which keeps nothing of it and stays JSON', () => {
  for (let length = 0; length < 70; length++) {
    const secret = randomBytes(length)
    const document = { data: { ciphertext: 'vault:v1:AAAA', plaintext: secret.toString('base64'), after: 1 } }
    for (const indentation of [0, 2]) {
      const json = bytes(JSON.stringify(document, undefined, indentation))
      expect(cutSecret(json, 'plaintext')).toEqual(Uint8Array.from(secret))
      const { data } = JSON.parse(Buffer.from(json).toString()) as typeof document
      expect(data).toEqual({ ...document.data, plaintext: ' '.repeat(document.data.plaintext.length) })
    }
  }
})

test.each([
  '{}',
  '{"plaintext":7}',
  '{"plaintext"',
  '{"plaintext":"AAAA',
  '{"plaintext":"!!!!"}',
  '{"plaintext":null}',
])('%s has no secret', (json) => {
  expect(cutSecret(bytes(json), 'plaintext')).toBeUndefined()
})

test('a secret of any length goes into JSON as its base64', () => {
  for (let length = 0; length < 70; length++) {
    const secret = randomBytes(length)
    const json = pasteSecret({ name: 'a "key"' }, 'plaintext', secret)
    expect(JSON.parse(Buffer.from(json).toString())).toEqual({
      name: 'a "key"',
      plaintext: secret.toString('base64'),
    })
  }
})
