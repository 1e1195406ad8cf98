import type { Announcement } from '../announce/announce.ts'
import { fromBase64, fromHex, toBase64 } from '../bytes.ts'
import type { Context } from '../client/context.ts'
import type { Sign } from '../client/sign.ts'
import type { Wallets } from '../client/wallets.ts'
import { type Emitter, emitter } from '../emitter.ts'
import { type Forward, forward } from '../evm/forward.ts'
import type { Wallet } from '../generated/answers.ts'
import { SymbolonError, unwrap } from '../result.ts'
import { signInMessage } from './sign-in-message.ts'
import type {
  MessageInput,
  SendInput,
  SignInInput,
  SolanaAccount,
  SolanaFeatures,
  SolanaWallet,
  TransactionInput,
} from './wallet-types.ts'

/** How the Solana wallet behaves. `login` logs the user in when an app connects. */
export type SolanaOptions = Pick<Announcement, 'name' | 'icon'> & { readonly login?: () => Promise<unknown> }

/** The parts of a client that the wallet is made of. */
export type SolanaParts = {
  readonly context: Context
  readonly wallets: Wallets
  readonly sign: Sign
  readonly rpcUrls: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
}

const handles: Readonly<Record<string, string>> = {
  'solana:mainnet': 'solana',
  'solana:devnet': 'solana-devnet',
}
const chains = ['solana:mainnet', 'solana:devnet'] as const

type SolanaCtx = Omit<SolanaParts, 'rpcUrls' | 'fetch'> & {
  readonly nodes: Forward
  readonly events: Emitter<{ change: { readonly accounts: readonly SolanaAccount[] } }>
  readonly login: SolanaOptions['login']
  accounts: readonly SolanaAccount[]
}

/**
 * The user's wallet by the Wallet Standard, as `@wallet-standard/app` and the wallet adapters take it. Messages are signed
 * as bare bytes (`scheme: "raw"`), which the platform refuses where they are a transaction or what other networks sign.
 */
export function solana(parts: SolanaParts, { name, icon, login }: SolanaOptions): SolanaWallet {
  const { context, wallets, sign } = parts
  const nodes = forward(parts.rpcUrls, parts.fetch)
  const ctx: SolanaCtx = { context, wallets, sign, nodes, events: emitter(), login, accounts: [] }
  context.sessions.onChange(({ status }) => {
    if (status === 'signed_out') setAccounts(ctx, [])
  })
  return Object.freeze({
    version: '1.0.0',
    name,
    icon,
    chains,
    features: Object.freeze(featuresOf(ctx)),
    get accounts() {
      return ctx.accounts
    },
  })
}

function featuresOf(ctx: SolanaCtx): SolanaFeatures {
  const { events } = ctx
  const version = '1.0.0'
  const supportedTransactionVersions = ['legacy', 0] as const
  /** One input after the other, because each may ask the user. */
  const inTurn =
    <input, output>(act: (ctx: SolanaCtx, input: input) => Promise<output>) =>
    async (...inputs: readonly input[]) => {
      const outputs: output[] = []
      for (const input of inputs) outputs.push(await act(ctx, input))
      return outputs
    }
  const signInTurn = inTurn(signIn)
  return {
    'standard:connect': { version, connect: (input) => connect(ctx, input) },
    'standard:disconnect': { version, disconnect: async () => setAccounts(ctx, []) },
    'standard:events': {
      version,
      on(event, listener) {
        events.on(event, listener)
        return () => events.off(event, listener)
      },
    },
    'solana:signMessage': { version: '1.1.0', signMessage: inTurn(signMessage) },
    'solana:signTransaction': {
      version,
      supportedTransactionVersions,
      signTransaction: inTurn(signTransaction),
    },
    'solana:signIn': {
      version,
      signIn: (...inputs) => (inputs.length === 0 ? signInTurn({}) : signInTurn(...inputs)),
    },
    ...(Object.values(handles).some(ctx.nodes.reaches) && {
      'solana:signAndSendTransaction': {
        version,
        supportedTransactionVersions,
        signAndSendTransaction: inTurn(send),
      },
    }),
  }
}

async function connect(ctx: SolanaCtx, { silent = false } = {}) {
  const { context, wallets, login } = ctx
  const { token } = context.sessions
  if (!silent && token() === null) await login?.()
  if (token() === null && silent) return { accounts: ctx.accounts }
  const { data, error } = await wallets.get({ curve: 'ed25519' })
  if (error === null) setAccounts(ctx, [accountOf(ctx, data)])
  else if (!silent && error.code === 'wallet_not_found') {
    const made = await wallets.create({ curve: 'ed25519' })
    const wallet = made.error?.code === 'wallet_exists' ? (made.data as Wallet) : unwrap(made)
    setAccounts(ctx, [accountOf(ctx, wallet)])
  } else if (!silent) throw new SymbolonError(error)
  return { accounts: ctx.accounts }
}

function setAccounts(ctx: SolanaCtx, next: readonly SolanaAccount[]): void {
  const isSame = next.length === ctx.accounts.length && next[0]?.address === ctx.accounts[0]?.address
  if (isSame) return
  ctx.accounts = next
  ctx.events.emit('change', { accounts: next })
}

function accountOf(ctx: SolanaCtx, { public_key, addresses }: Wallet): SolanaAccount {
  const names = Object.keys(featuresOf(ctx)) as (keyof SolanaFeatures)[]
  return {
    address: addresses['solana'] ?? '',
    publicKey: fromHex(public_key),
    chains,
    features: names.filter((name) => name.startsWith('solana:')),
  }
}

function requireOwn({ accounts }: SolanaCtx, { address }: { readonly address: string }): void {
  if (!accounts.some((account) => account.address === address))
    throw new SymbolonError({
      code: 'wallet_not_found',
      message: 'This is not the account of the wallet.',
    })
}

async function signBytes({ sign }: SolanaCtx, message: Uint8Array) {
  const signed = await sign.message(message, { chain: 'solana', curve: 'ed25519', scheme: 'raw' })
  return { signedMessage: message, signature: fromHex(unwrap(signed).signature ?? '0x') }
}

async function signMessage(ctx: SolanaCtx, { account, message }: MessageInput) {
  requireOwn(ctx, account)
  return signBytes(ctx, Uint8Array.from(message))
}

async function signTransaction(ctx: SolanaCtx, input: TransactionInput) {
  const { account, transaction, chain = 'solana:mainnet' } = input
  requireOwn(ctx, account)
  const signed = unwrap(await ctx.sign.transaction(toBase64(transaction), { chain: handleOf(chain) }))
  return { signedTransaction: fromBase64(String(signed.signed_transaction)) }
}

async function send(ctx: SolanaCtx, input: SendInput) {
  const { signedTransaction } = await signTransaction(ctx, input)
  const options = { ...input.options, encoding: 'base64' }
  await ctx.nodes.call(handleOf(input.chain), 'sendTransaction', [toBase64(signedTransaction), options])
  // One byte counts the signatures, the first of which is the transaction's id.
  return { signature: signedTransaction.slice(1, 65) }
}

async function signIn(ctx: SolanaCtx, input: SignInInput) {
  const [account] = (await connect(ctx)).accounts
  if (account === undefined)
    throw new SymbolonError({ code: 'unauthorized', message: 'Log in to use the wallet.' })
  const { host } = globalThis.location ?? { host: input.domain ?? '' }
  if ((input.domain ?? host) !== host || (input.address ?? account.address) !== account.address)
    throw new SymbolonError({
      code: 'invalid_request',
      message: 'A sign-in names this page and this account only.',
    })
  const text = signInMessage({ ...input, domain: host, address: account.address })
  return { account, ...(await signBytes(ctx, new TextEncoder().encode(text))) }
}

function handleOf(chain: string): string {
  const handle = Object.hasOwn(handles, chain) ? handles[chain] : undefined
  if (handle === undefined)
    throw new SymbolonError({ code: 'chain_unsupported', message: 'This chain is not supported.' })
  return handle
}
