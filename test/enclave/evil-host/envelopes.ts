import { randomUUID } from 'node:crypto'
import type { Enclave } from '@symbolon/server/testing/ports'
import type { TeeWallet } from '@symbolon/testing/enclave'
import { type Attack, flipped, nth } from './attack.ts'
import { type ImportCall, makeRecipient, noLimits, payment, type Session, type World } from './world.ts'

const { recipient } = makeRecipient()
const userIdentityId = randomUUID()

/** Everything that is opened for one wallet and one of its sessions, by turns. */
const openings = (
  enclave: Enclave,
  wallet: TeeWallet,
  session: Session,
  n: number,
): (() => Promise<unknown>)[] => [
  () => enclave.sign({ ...wallet, intent: payment(n) }),
  () => enclave.sign({ ...wallet, intent: payment(n), receipt: true }),
  () => enclave.export({ ...wallet, userIdentityId, recipient }),
  () =>
    enclave.grant({
      ...wallet,
      sessionId: randomUUID(),
      policyVersion: 1,
      tokenKey: session.tokenKey,
      layers: noLimits,
    }),
  () => enclave.rewrap(wallet),
  () => enclave.evaluate({ ...session, intent: payment(n) }),
  () => enclave.agentSign({ ...session, intent: payment(n) }),
]

const victim = ({ wallets, sessions }: World): { wallet: TeeWallet; session: Session } => ({
  wallet: wallets['another organization'][0],
  session: sessions['another organization'][0],
})

// Behind the key's name, which the enclave does not need for the share that the API's key opens: iv, share and tag.
const sealedBytes = 12 + 33 + 16

const flippedEnd = (bytes: Uint8Array, n: number): Uint8Array => {
  const at = bytes.length - sealedBytes
  return Buffer.concat([bytes.subarray(0, at), flipped(bytes.subarray(at), n)])
}

const bitOfWallet: Attack = {
  name: 'one bit of a share or of a data key',
  // The name of the ring and the version of its key are in an envelope, too: such a one is unknown.
  refusals: ['refused', 'unavailable', 'key_mismatch'],
  attempt(world, n) {
    const { wallet } = victim(world)
    const changed = nth<(at: number) => Partial<TeeWallet>>(
      [
        (at) => ({ shareA: flipped(wallet.shareA, at) }),
        (at) => ({ shareB: flippedEnd(wallet.shareB, at) }),
        (at) => ({ dataKeyB: flipped(wallet.dataKeyB, at) }),
        (at) => ({ publicKey: flipped(wallet.publicKey, at) }),
      ],
      n,
    )
    const forged = { ...wallet, ...changed(n >> 2) }
    // A payload of this network has no address where the key is no point.
    const ask = (asked: TeeWallet) => world.enclave.export({ ...asked, userIdentityId, recipient })
    return { forged: () => ask(forged), honest: () => ask(wallet) }
  },
}

const bitOfSession: Attack = {
  name: 'one bit of a grant or of its token',
  refusals: ['refused', 'unavailable'],
  attempt(world, n) {
    const { session } = victim(world)
    const { grant, tokenKey } = session
    const changed = n % 4 === 3 ? { tokenKey: flipped(tokenKey, n >> 2) } : { grant: flipped(grant, n) }
    const ask = (asked: Session) => world.enclave.agentSign({ ...asked, intent: payment(n) })
    return { forged: () => ask({ ...session, ...changed }), honest: () => ask(session) }
  },
}

const bitOfImport: Attack = {
  name: 'one bit of a key that was sealed to the enclave',
  refusals: ['invalid_payload', 'expired'],
  attempt({ enclave, imports }, n) {
    const [call] = imports['somebody else']
    const changed = nth<Partial<ImportCall>>(
      [
        { ciphertext: flipped(call.ciphertext, n) },
        // The first byte says that it is a point; without it, the request is malformed.
        { enc: Buffer.concat([call.enc.subarray(0, 1), flipped(call.enc.subarray(1), n)]) },
        { importKey: Buffer.concat([call.importKey.subarray(0, 1), flipped(call.importKey.subarray(1), n)]) },
      ],
      n,
    )
    return { forged: () => enclave.import({ ...call, ...changed }), honest: () => enclave.import(call) }
  },
}

/** The envelope in a grant, and what follows it. */
function partsOf({ grant }: Session): { head: Uint8Array; envelope: Uint8Array; policy: Uint8Array } {
  const end = 3 + Buffer.from(grant).readUInt16BE(1)
  return { head: grant.subarray(0, 3), envelope: grant.subarray(3, end), policy: grant.subarray(end) }
}

/** One sealed thing in the place of another. */
const confusions = ({ enclave, wallets, sessions }: World, n: number): (() => Promise<unknown>)[] => {
  const [wallet] = wallets['another organization']
  const [session, other] = sessions['another session of the wallet']
  const { shareA, shareB } = wallet
  const { envelope } = partsOf(session)
  const asGrant = (bytes: Uint8Array, policy: Uint8Array) =>
    Buffer.concat([Buffer.of(1, bytes.length >> 8, bytes.length & 255), bytes, policy])
  const grants = [
    shareA,
    asGrant(shareA, partsOf(session).policy),
    asGrant(shareB, partsOf(session).policy),
    asGrant(envelope, partsOf(other).policy),
    asGrant(partsOf(other).envelope, partsOf(session).policy),
  ]
  const shares = [
    { shareA: envelope },
    { shareA: session.grant },
    { shareA: shareB },
    { shareB: shareA },
    { shareB: envelope },
    { shareA: shareB, shareB: shareA },
  ]
  const intent = payment(n)
  return [
    ...grants.map((grant) => () => enclave.agentSign({ ...session, grant, intent })),
    ...shares.map((changed) => () => enclave.sign({ ...wallet, ...changed, intent })),
    ...shares.map((changed) => () => enclave.export({ ...wallet, ...changed, userIdentityId, recipient })),
    ...shares.map((changed) => () => enclave.agentSign({ ...session, ...changed, intent })),
    () => enclave.rewrap({ ...wallet, shareA: envelope }),
    () => enclave.rewrap({ ...wallet, shareA: shareB }),
  ]
}

const confused: Attack = {
  name: 'one sealed thing in the place of another',
  // A share of the API's key names that key, which is none of the enclave's.
  refusals: ['refused', 'unavailable'],
  attempt(world, n) {
    const { wallet, session } = victim(world)
    return {
      forged: nth(confusions(world, n), n),
      honest: nth(openings(world.enclave, wallet, session, n), n >> 3),
    }
  },
}

const exportAsImport: Attack = {
  name: 'a key that was sealed to the enclave as an export',
  refusals: ['invalid_payload'],
  async attempt({ enclave, imports, wallets }, n) {
    const [call] = imports['somebody else']
    const [wallet] = wallets['another organization']
    const { enc, ciphertext } = await enclave.export({ ...wallet, userIdentityId, recipient: call.importKey })
    // As the same wallet of the same user, and as another one.
    const owner = n % 2 === 0 ? { ...wallet, userIdentityId } : {}
    return {
      forged: () => enclave.import({ ...call, ...owner, wrappedKeyB: call.wrappedKeyB, enc, ciphertext }),
      honest: () => enclave.import(call),
    }
  },
}

const foreignRing: Attack = {
  name: 'requests of another ring',
  refusals: ['unavailable'],
  attempt(world, n) {
    const { wallet, session } = victim(world)
    const foreign = world.boots[1]?.enclave ?? world.enclave
    return {
      forged: nth(openings(foreign, wallet, session, n), n),
      honest: nth(openings(world.enclave, wallet, session, n), n >> 3),
    }
  },
}

const foreignBoot: Attack = {
  name: 'imports of another boot under the same ring',
  refusals: ['expired'],
  attempt({ enclave, boots, imports }, n) {
    const other = boots[0]?.enclave ?? enclave
    const [here, there] = imports['another boot']
    return {
      forged: () => (n % 2 === 0 ? enclave.import(there) : other.import(here)),
      honest: () => (n % 16 === 0 ? enclave.import(here) : other.import(there)),
    }
  },
}

/** What a host tries with sealed bytes. */
export const envelopeAttacks: readonly Attack[] = [
  bitOfWallet,
  bitOfSession,
  bitOfImport,
  confused,
  exportAsImport,
  foreignRing,
  foreignBoot,
]
