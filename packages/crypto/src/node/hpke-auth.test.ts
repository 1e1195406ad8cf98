import { createECDH, randomBytes } from 'node:crypto'
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import { expect, test } from 'vitest'
import { hpkeAuthSender, recipientOf } from './hpke-p256.ts'
import { exportedSecret, kemSecret } from './hpke-schedule.ts'

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})
const info = Buffer.from('test/v1')
const hex = (text: string) => Buffer.from(text, 'hex')

// RFC 9180, appendix A.3.3: DHKEM(P-256, HKDF-SHA256), mode_auth. Its AEAD is another than ours; the KEM's secret is the same for all.
const vector = {
  enc: hex(
    '042224f3ea800f7ec55c03f29fc9865f6ee27004f818fcbdc6dc68932c1e52e15b79e264a98f2c535ef06745f3d308624414153b22c7332bc1e691cb4af4d53454',
  ),
  skEm: hex('6b8de0873aed0c1b2d09b8c7ed54cbf24fdf1dfc7a47fa501f918810642d7b91'),
  pkRm: hex(
    '04423e363e1cd54ce7b7573110ac121399acbc9ed815fae03b72ffbd4c18b01836835c5a09513f28fc971b7266cfde2e96afe84bb0f266920e82c4f53b36e1a78d',
  ),
  skRm: hex('d929ab4be2e59f6954d6bedd93e638f02d4046cef21115b00cdda2acb2a4440e'),
  pkSm: hex(
    '04a817a0902bf28e036d66add5d544cc3a0457eab150f104285df1e293b5c10eef8651213e43d9cd9086c80b309df22cf37609f58c1127f7607e85f210b2804f73',
  ),
  skSm: hex('1120ac99fb1fccc1e8230502d245719d1b217fe20505c7648795139d177f0de9'),
  shared: 'd4aea336439aadf68f9348880aa358086f1480e7c167b6ef15453ba69b94b44f',
}

const holder = (privateKey: Uint8Array) => {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(privateKey)
  return ecdh
}

test('both sides of auth mode have the shared secret of RFC 9180, appendix A.3.3', () => {
  const { enc, pkRm, pkSm } = vector
  const [ephemeral, recipient, sender] = [vector.skEm, vector.skRm, vector.skSm].map(holder)
  if (ephemeral === undefined || recipient === undefined || sender === undefined) throw new Error('no keys')
  const context = Buffer.concat([enc, pkRm, pkSm])
  const encap = Buffer.concat([ephemeral.computeSecret(pkRm), sender.computeSecret(pkRm)])
  const decap = Buffer.concat([recipient.computeSecret(enc), recipient.computeSecret(pkSm)])
  expect(kemSecret(encap, context).toString('hex')).toBe(vector.shared)
  expect(kemSecret(decap, context).toString('hex')).toBe(vector.shared)
})

test('a recipient has the keys of a context that another implementation made, and exports what it exports', async () => {
  const own = createECDH('prime256v1')
  own.generateKeys()
  const sender = await suite.kem.generateKeyPair()
  const publicKey = new Uint8Array(await suite.kem.serializePublicKey(sender.publicKey))
  const other = await suite.createSenderContext({
    recipientPublicKey: await suite.kem.deserializePublicKey(Uint8Array.from(own.getPublicKey())),
    senderKey: sender,
    info,
  })
  const ours = recipientOf(own).authContext(new Uint8Array(other.enc), publicKey, info)
  if (ours === undefined) throw new Error('no context')
  const exported = new Uint8Array(await other.export(Buffer.from('purpose'), 32))
  expect(Buffer.from(exportedSecret(ours, 'purpose'))).toEqual(Buffer.from(exported))
})

test('another implementation opens what a sender seals, with the sender that it expects alone', async () => {
  const own = createECDH('prime256v1')
  own.generateKeys()
  const recipient = await suite.kem.generateKeyPair()
  const recipientKey = new Uint8Array(await suite.kem.serializePublicKey(recipient.publicKey))
  const { enc, context } = hpkeAuthSender(own, recipientKey, info)
  const of = async (sender: Uint8Array) =>
    suite.createRecipientContext({
      recipientKey: recipient.privateKey,
      enc: Uint8Array.from(enc),
      senderPublicKey: await suite.kem.deserializePublicKey(Uint8Array.from(sender)),
      info,
    })
  const exported = async (sender: Uint8Array) =>
    Buffer.from(await (await of(sender)).export(Buffer.from('purpose'), 32))
  expect(await exported(own.getPublicKey())).toEqual(Buffer.from(exportedSecret(context, 'purpose')))
  const stranger = createECDH('prime256v1').generateKeys()
  expect(await exported(stranger)).not.toEqual(Buffer.from(exportedSecret(context, 'purpose')))
})

test('what is no point of the curve makes no context', () => {
  const own = createECDH('prime256v1')
  const point = own.generateKeys()
  const recipient = recipientOf(own)
  for (const bad of [Buffer.alloc(65), randomBytes(65), point.subarray(0, 64), Buffer.alloc(0)]) {
    expect(recipient.authContext(bad, point, info)).toBeUndefined()
    expect(recipient.authContext(point, bad, info)).toBeUndefined()
    expect(() => hpkeAuthSender(own, bad, info)).toThrow('not a P-256')
  }
})
