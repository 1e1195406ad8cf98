import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { keyTransferAad, keyTransferInfo } from '@symbolon/crypto'
import { type KeyRing, keyRing, teeContext } from '@symbolon/crypto/node'
import type { Curve } from '@symbolon/networks'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import { enclaveSocket } from '@symbolon/server/testing/adapters'
import type { Enclave } from '@symbolon/server/testing/ports'
import {
  type EnclaveProcess,
  makeGrant,
  messageIntent,
  startEnclaveProcess,
  type TeeWallet,
  type TestGrant,
  transferIntent,
} from '@symbolon/testing/enclave'
import { sealHpke } from '@symbolon/testing/hpke'

/** Whose wallet's members a host puts into the request of another wallet. */
export const otherWallets = [
  'another wallet of the organization',
  'another organization',
  'another curve',
  'the same id in another organization',
  'another version of its shares',
] as const

/** Whose session's. */
export const otherSessions = [
  'another session of the wallet',
  'a later policy of the session',
  'another token of the session',
  ...otherWallets,
] as const

/** Whose import's. */
export const otherImports = [
  'another wallet of the user',
  'another user',
  'another organization',
  'somebody else',
  'another curve',
  'another boot',
] as const

/** Two recorded things of one kind, by what sets the second one apart. */
export type Pairs<name extends string, thing> = Readonly<Record<name, readonly [thing, thing]>>

export type ImportCall = Parameters<Enclave['import']>[0]

/** A session as its API process knows it, with the wallet's shares and something that its policy allows. */
export type Session = TestGrant & Pick<TeeWallet, 'shareA' | 'shareB'> & { intent: Uint8Array }

/**
 * All that the API side of several organizations has and has seen: the key of the channel, data keys, rows, tokens, grants and requests. Everything in it
 * came by honest requests.
 */
export type World = {
  child: EnclaveProcess
  enclave: Enclave
  /** Another boot under the same ring, and one with a ring of its own. */
  boots: readonly { child: EnclaveProcess; enclave: Enclave }[]
  wallets: Pairs<(typeof otherWallets)[number], TeeWallet>
  sessions: Pairs<(typeof otherSessions)[number], Session>
  imports: Pairs<(typeof otherImports)[number], ImportCall>
  /** The wallets whose keys the payloads of test/agents/corpus are for. */
  corpusWallets: Record<Curve, TeeWallet>
  makeWallet(row?: Partial<TeeWallet>): Promise<TeeWallet>
  /** One more enclave of the same program, with a ring of its own, for who restarts it. */
  startEnclave(): Promise<EnclaveProcess>
  stop(): Promise<void>
}

/** The layers of a session that may do what every session may. */
export const noLimits: string = JSON.stringify({ organization: null, agent: null, session: {} })

/** The API side's key ring of shares. */
const makeKms = (): KeyRing => keyRing({ purpose: 'tee-b', keyId: 'test', keys: [randomBytes(32)] })

/** An address that policies here allow. */
export const friend = `0x${'5e'.repeat(20)}`
/** One that none of them allows. */
export const thief = `0x${'bb'.repeat(20)}`

/** A payment on Base, the same number for the same bytes. */
export const payment = (n: number, value = 1n, to = friend): Uint8Array =>
  transferIntent({ chain: 'base', to, value, nonce: n })

/** What every wallet of the curve may sign for a session without limits. */
export const anyIntent = (curve: Curve, n: number): Uint8Array =>
  curve === 'ed25519' ? messageIntent(curve, `message ${n}`) : payment(n)

/** A session of a wallet, with a policy that allows `anyIntent`. */
export async function makeSession(
  enclave: Enclave,
  wallet: TeeWallet,
  layers: Parameters<typeof makeGrant>[2] = {},
): Promise<Session> {
  const { shareA, shareB, curve } = wallet
  return { ...(await makeGrant(enclave, wallet, layers)), shareA, shareB, intent: anyIntent(curve, 0) }
}

/** Starts three enclaves, of another `entry` where one is given, and records what the attacks are made from. */
export async function makeWorld(entry?: string): Promise<World> {
  const program = entry === undefined ? {} : { entry }
  const child = await startEnclaveProcess(program)
  const others = [
    await startEnclaveProcess({ ...program, ringFile: child.ringPath }),
    await startEnclaveProcess(program),
  ]
  const enclave = enclaveSocket(child.client)
  const boots = others.map((each) => ({ child: each, enclave: enclaveSocket(each.client) }))
  const ring = makeKms()
  const makeWallet: World['makeWallet'] = (row) => walletOf(enclave, ring, row)
  const wallets = await walletPairs(makeWallet)
  return {
    child,
    enclave,
    boots,
    wallets,
    sessions: await sessionPairs(enclave, wallets),
    imports: await importPairs({ ring, enclave, other: boots[0]?.enclave ?? enclave }),
    corpusWallets: await corpusWallets(enclave, ring),
    makeWallet,
    startEnclave: () => startEnclaveProcess(program),
    async stop() {
      await Promise.all([enclave, ...boots.map((boot) => boot.enclave)].map((each) => each.close()))
      await Promise.all([child, ...others].map((each) => each.stop()))
    },
  }
}

/** A new wallet of an enclave, at random where `row` does not say otherwise. */
export async function walletOf(
  enclave: Enclave,
  ring: KeyRing = makeKms(),
  row: Partial<TeeWallet> = {},
): Promise<TeeWallet> {
  const { organizationId = randomUUID(), walletId = randomUUID(), polynomialVersion = 1 } = row
  const wallet = { organizationId, walletId, polynomialVersion, curve: row.curve ?? ('secp256k1' as const) }
  const { dataKey: dataKeyB, wrappedKey: wrappedKeyB } = ring.generateDataKey(teeContext(wallet, 'tee-b'))
  return {
    ...wallet,
    dataKeyB,
    wrappedKeyB,
    ...(await enclave.generate({ ...wallet, dataKeyB, wrappedKeyB })),
  }
}

async function walletPairs(makeWallet: World['makeWallet']): Promise<World['wallets']> {
  const victim = await makeWallet()
  const { organizationId, walletId } = victim
  return pairsOf(victim, {
    'another wallet of the organization': await makeWallet({ organizationId }),
    'another organization': await makeWallet(),
    'another curve': await makeWallet({ organizationId, curve: 'ed25519' }),
    // A wallet's id is new in the other organization's database: a host that writes rows may use it again.
    'the same id in another organization': await makeWallet({ walletId }),
    'another version of its shares': await makeWallet({ organizationId, walletId, polynomialVersion: 2 }),
  })
}

function pairsOf<name extends string, thing>(victim: thing, others: Record<name, thing>): Pairs<name, thing> {
  const entries = Object.entries<thing>(others).map(([name, other]) => [name, [victim, other]])
  return Object.fromEntries(entries) as Pairs<name, thing>
}

async function sessionPairs(enclave: Enclave, wallets: World['wallets']): Promise<World['sessions']> {
  const [victim] = wallets['another organization']
  const session = await makeSession(enclave, victim)
  const later = { ...session, policyVersion: 2 }
  const lost = { ...session, tokenKey: randomBytes(32) }
  const made = (asked: Session) => enclave.grant({ ...victim, ...asked, layers: noLimits })
  const of = (name: (typeof otherWallets)[number]) => makeSession(enclave, wallets[name][1])
  return pairsOf(session, {
    'another session of the wallet': await makeSession(enclave, victim),
    'a later policy of the session': { ...later, ...(await made(later)) },
    'another token of the session': { ...lost, ...(await made(lost)) },
    'another wallet of the organization': await of('another wallet of the organization'),
    'another organization': await of('another organization'),
    'another curve': await of('another curve'),
    'the same id in another organization': await of('the same id in another organization'),
    'another version of its shares': await of('another version of its shares'),
  })
}

type Importing = { ring: KeyRing; enclave: Enclave; other: Enclave }
type Owner = Partial<Pick<ImportCall, 'organizationId' | 'userIdentityId' | 'walletId' | 'curve'>>

async function importPairs({ ring, enclave, other }: Importing): Promise<World['imports']> {
  const victim = await importCall(enclave, ring)
  const { organizationId, userIdentityId, walletId } = victim
  return pairsOf(victim, {
    'another wallet of the user': await importCall(enclave, ring, { organizationId, userIdentityId }),
    'another user': await importCall(enclave, ring, { organizationId, walletId }),
    'another organization': await importCall(enclave, ring, { userIdentityId, walletId }),
    'somebody else': await importCall(enclave, ring),
    'another curve': await importCall(enclave, ring, {
      organizationId,
      userIdentityId,
      walletId,
      curve: 'ed25519',
    }),
    'another boot': await importCall(other, ring, { organizationId, userIdentityId, walletId }),
  })
}

/** What the API sends for a key that a browser has sealed to an enclave. */
export async function importCall(
  enclave: Enclave,
  ring: KeyRing,
  owner: Owner = {},
  key: Uint8Array = randomBytes(32),
): Promise<ImportCall> {
  const { organizationId = randomUUID(), walletId = randomUUID(), userIdentityId = randomUUID() } = owner
  const wallet = { organizationId, walletId, polynomialVersion: 1 }
  const owned = { ...wallet, userIdentityId, curve: owner.curve ?? ('secp256k1' as const) }
  const { publicKey: importKey } = await enclave.importKey(owned)
  const { secrets: _, ...sealed } = sealHpke(importKey, key, {
    info: keyTransferInfo.import,
    aad: keyTransferAad(owned),
  })
  const { dataKey: dataKeyB, wrappedKey: wrappedKeyB } = ring.generateDataKey(teeContext(wallet, 'tee-b'))
  return { ...owned, ...sealed, importKey, dataKeyB, wrappedKeyB }
}

async function corpusWallets(enclave: Enclave, ring: KeyRing): Promise<Record<Curve, TeeWallet>> {
  const one = async (curve: Curve): Promise<TeeWallet> => {
    const call = await importCall(enclave, ring, { curve }, testKey(curve, 1).privateKey)
    return { ...call, ...(await enclave.import(call)) }
  }
  return { secp256k1: await one('secp256k1'), ed25519: await one('ed25519') }
}

/** A P-256 key pair of whoever wants a wallet's key. */
export function makeRecipient(): { recipient: Uint8Array; pair: ReturnType<typeof createECDH> } {
  const pair = createECDH('prime256v1')
  return { recipient: pair.generateKeys(), pair }
}
