import { randomBytes, randomUUID } from 'node:crypto'
import type { Enclave } from '@symbolon/server/testing/ports'
import type { TeeWallet } from '@symbolon/testing/enclave'
import { type Attack, mixed } from './attack.ts'
import {
  anyIntent,
  type ImportCall,
  makeRecipient,
  noLimits,
  otherImports,
  otherSessions,
  otherWallets,
  type Pairs,
  payment,
  type Session,
  type World,
} from './world.ts'

/** How requests of one operation are recorded and asked again. */
type Swap<name extends string, request extends object> = {
  op: string
  names: readonly name[]
  pairs: (world: World) => Pairs<name, request>
  /** What has to be of one owner. */
  members: readonly (keyof request)[]
  ask: (enclave: Enclave, request: request, n: number) => Promise<unknown>
  refusals: readonly string[]
}

const walletMembers = [
  'organizationId',
  'walletId',
  'polynomialVersion',
  'curve',
  'publicKey',
  'shareA',
  'shareB',
  'dataKeyB',
] as const satisfies readonly (keyof TeeWallet)[]

const sessionMembers = [
  'organizationId',
  'walletId',
  'polynomialVersion',
  'curve',
  'publicKey',
  'sessionId',
  'policyVersion',
  'tokenKey',
  'grant',
] as const satisfies readonly (keyof Session)[]

const importMembers = [
  'organizationId',
  'walletId',
  'userIdentityId',
  'curve',
  'importKey',
  'enc',
  'ciphertext',
] as const satisfies readonly (keyof ImportCall)[]

const unopened = ['refused', 'key_mismatch']
const { recipient } = makeRecipient()
const userIdentityId = randomUUID()
const newSession = () => ({ sessionId: randomUUID(), policyVersion: 1, tokenKey: randomBytes(32) })

type OtherWallet = (typeof otherWallets)[number]
type OtherSession = (typeof otherSessions)[number]

const ofWallets = {
  names: otherWallets,
  pairs: ({ wallets }: World) => wallets,
  members: walletMembers,
  refusals: unopened,
}
const ofSessions = { names: otherSessions, pairs: ({ sessions }: World) => sessions, refusals: unopened }

const sign: Swap<OtherWallet, TeeWallet> = {
  ...ofWallets,
  op: 'sign',
  ask: (enclave, wallet, n) =>
    enclave.sign({ ...wallet, intent: payment(n), ...(n % 2 === 1 && { receipt: true }) }),
  // A payload of one curve is none of the other's.
  refusals: [...unopened, 'invalid_payload'],
}

const exporting: Swap<OtherWallet, TeeWallet> = {
  ...ofWallets,
  op: 'export',
  ask: (enclave, wallet) => enclave.export({ ...wallet, userIdentityId, recipient }),
}

const grant: Swap<OtherWallet, TeeWallet> = {
  ...ofWallets,
  op: 'grant',
  ask: (enclave, wallet) => enclave.grant({ ...wallet, ...newSession(), layers: noLimits }),
}

const rewrap: Swap<OtherWallet, TeeWallet> = {
  ...ofWallets,
  op: 'rewrap',
  members: ['organizationId', 'walletId', 'polynomialVersion', 'shareA'],
  ask: (enclave, wallet) => enclave.rewrap(wallet),
}

const evaluate: Swap<OtherSession, Session> = {
  ...ofSessions,
  op: 'evaluate',
  members: sessionMembers,
  ask: (enclave, asked, n) => enclave.evaluate({ ...asked, intent: anyIntent('secp256k1', n) }),
}

const agentSign: Swap<OtherSession, Session> = {
  ...ofSessions,
  op: 'agentSign',
  members: [...sessionMembers, 'shareA', 'shareB'],
  ask: (enclave, asked, n) =>
    enclave.agentSign({
      ...asked,
      intent: anyIntent('secp256k1', n),
      ...(n % 2 === 1 && { receipt: { spentBefore: [] } }),
    }),
  // A whole session of another curve has no such payload; the shares beside it are not even looked at.
  refusals: [...unopened, 'invalid_payload'],
}

const importing: Swap<(typeof otherImports)[number], ImportCall> = {
  op: 'import',
  names: otherImports,
  pairs: ({ imports }) => imports,
  members: importMembers,
  ask: (enclave, call) => enclave.import(call),
  refusals: ['invalid_payload', 'expired'],
}

function swaps<name extends string, request extends object>(swap: Swap<name, request>): Attack[] {
  return swap.names.map((name) => ({
    name: `${swap.op} with members of ${name}`,
    refusals: swap.refusals,
    attempt(world, n) {
      const pair = swap.pairs(world)[name]
      return {
        forged: () => swap.ask(world.enclave, mixed(pair, swap.members, n), n),
        honest: () => swap.ask(world.enclave, pair[0], n),
      }
    },
  }))
}

/** Recorded requests whose members were exchanged, of every operation that opens something. */
export const swapAttacks: readonly Attack[] = [
  ...swaps(sign),
  ...swaps(exporting),
  ...swaps(grant),
  ...swaps(rewrap),
  ...swaps(evaluate),
  ...swaps(agentSign),
  ...swaps(importing),
]
