import type { Announcement } from '../announce/announce.ts'
import { fromBase64, fromHex, isBytes, toBase64 } from '../bytes.ts'
import { activeWallet } from '../client/active-wallet.ts'
import type { Context } from '../client/context.ts'
import type { Sign } from '../client/sign.ts'
import type { Wallets } from '../client/wallets.ts'
import { emitter } from '../emitter.ts'
import { forward } from '../evm/forward.ts'
import type { Wallet } from '../generated/answers.ts'
import { SymbolonError, unwrap } from '../result.ts'
import { signInMessage } from './sign-in-message.ts'
import type {
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
const versions = ['legacy', 0] as const

/**
 * The user's wallet in the form of the Wallet Standard, for `@wallet-standard/app` and the wallet adapters. Messages are
 * signed as bare bytes (`scheme: "raw"`), which the platform refuses if they are a transaction or something that other
 * networks sign.
 */
export function solana(parts: SolanaParts, { name, icon, login }: SolanaOptions): SolanaWallet {
  const events = emitter<Events>()
  // None, or the one account of the wallet.
  let accounts: readonly SolanaAccount[] = []
  const set = (next: readonly SolanaAccount[]) => {
    if (next[0]?.address === accounts[0]?.address) return
    accounts = next
    events.emit('change', { accounts })
  }
  parts.context.sessions.onChange(({ status }) => {
    if (status === 'signed_out') set([])
  })
  const connect = async ({ silent = false } = {}) => {
    const wallet = await walletOf(parts, silent, login)
    if (wallet) set([accountOf(wallet, names)])
    return { accounts }
  }
  const checkOwn: CheckOwn = (account) => {
    if (account === undefined || accounts[0]?.address !== account.address)
      throw new SymbolonError({ code: 'wallet_not_found', message: 'This is not the account of the wallet.' })
  }
  const features: SolanaFeatures = {
    'standard:connect': { version: '1.0.0', connect },
    'standard:disconnect': { version: '1.0.0', disconnect: async () => set([]) },
    'standard:events': {
      version: '1.0.0',
      on(event, listener) {
        events.on(event, listener)
        return () => events.off(event, listener)
      },
    },
    ...signingFeatures(parts, checkOwn, connect),
  }
  const names = Object.keys(features)
  return Object.freeze({
    version: '1.0.0',
    name,
    icon,
    chains,
    features: Object.freeze(features),
    get accounts() {
      return accounts
    },
  })
}

/** Throws unless it is the account of the wallet. */
type CheckOwn = (account: { readonly address: string } | undefined) => void
type Events = { change: { readonly accounts: readonly SolanaAccount[] } }
type Connect = () => Promise<{ readonly accounts: readonly SolanaAccount[] }>

/** The user's wallet, made where there is none; null when a silent look finds none. */
async function walletOf(
  { context: { sessions }, wallets }: SolanaParts,
  isSilent: boolean,
  login: SolanaOptions['login'],
): Promise<Wallet | null> {
  if (sessions.token() === null) {
    if (isSilent) return null
    await login?.()
  }
  const { data, error } = await activeWallet(wallets, 'ed25519')
  if (data !== null || isSilent) return data
  if (error !== null) throw new SymbolonError(error)
  const made = await wallets.create({ curve: 'ed25519' })
  return made.error?.code === 'wallet_exists' ? (made.data as Wallet) : unwrap(made)
}

const accountOf = ({ public_key, addresses }: Wallet, features: readonly string[]): SolanaAccount => ({
  address: addresses['solana'] ?? '',
  publicKey: fromHex(public_key),
  chains,
  features: features.filter((feature) => feature.startsWith('solana:')) as SolanaAccount['features'],
})

function signingFeatures(
  { context, sign, rpcUrls, fetch }: SolanaParts,
  checkOwn: CheckOwn,
  connect: Connect,
) {
  const nodes = forward(rpcUrls, fetch)
  const { signTransaction, signAll } = transactionSigner({ context, sign }, checkOwn)
  const send = async (input: SendInput) => {
    const { signedTransaction } = await signTransaction(input)
    const options = { ...input.options, encoding: 'base64' }
    await nodes.call(handleOf(input.chain), 'sendTransaction', [toBase64(signedTransaction), options])
    // One byte counts the signatures, the first of which is the transaction's id.
    return { signature: signedTransaction.slice(1, 65) }
  }
  return {
    'solana:signMessage': {
      version: '1.1.0',
      signMessage: (...inputs) =>
        oneByOne(inputs, ({ account, message }) => {
          checkOwn(account)
          return signBytes(sign, Uint8Array.from(bytesOf('message', message)))
        }),
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: versions,
      signTransaction: (...inputs) => signAll(inputs),
    },
    'solana:signIn': {
      version: '1.0.0',
      signIn: (...inputs) =>
        oneByOne(inputs.length === 0 ? [{}] : inputs, (input) => signIn(sign, connect, input)),
    },
    ...(Object.values(handles).some(nodes.reaches) && {
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: versions,
        signAndSendTransaction: (...inputs) => oneByOne(inputs, send),
      },
    }),
  } satisfies Partial<SolanaFeatures>
}

/** Signs transactions of the account: one, or several of a request. */
function transactionSigner({ context, sign }: Pick<SolanaParts, 'context' | 'sign'>, checkOwn: CheckOwn) {
  const signTransaction = async (
    { account, transaction, chain = 'solana:mainnet' }: TransactionInput,
    batch?: string,
  ) => {
    checkOwn(account)
    const given = { chain: handleOf(chain), transaction: toBase64(bytesOf('transaction', transaction)) }
    const signed =
      batch === undefined
        ? unwrap(await sign.transaction(given.transaction, { chain: given.chain }))
        : unwrap(await context.frame.request('sign', { request: { type: 'transaction', ...given }, batch }))
    return { signedTransaction: fromBase64(String(signed['signed_transaction'])) }
  }
  /** Several of one chain are one dialog, where this browser signs. */
  const signAll = async (inputs: readonly TransactionInput[]) => {
    const named = new Set(inputs.map(({ chain = 'solana:mainnet' }) => handleOf(chain)))
    const [chain] = named
    const isOneDialog = inputs.length > 1 && named.size === 1 && unwrap(await context.mode()) === 'client'
    if (!isOneDialog || chain === undefined) return oneByOne(inputs, (input) => signTransaction(input))
    for (const { account } of inputs) checkOwn(account)
    const transactions = inputs.map(({ transaction }) => toBase64(bytesOf('transaction', transaction)))
    const { batch } = unwrap(await context.frame.request('transactions.agree', { chain, transactions }))
    return oneByOne(inputs, (input) => signTransaction(input, batch))
  }
  return { signTransaction, signAll }
}

async function signBytes(sign: Sign, message: Uint8Array) {
  const signed = await sign.message(message, { chain: 'solana', curve: 'ed25519', scheme: 'raw' })
  return { signedMessage: message, signature: fromHex(unwrap(signed).signature ?? '0x') }
}

async function signIn(sign: Sign, connect: Connect, input: SignInInput) {
  const [account] = (await connect()).accounts
  if (account === undefined)
    throw new SymbolonError({ code: 'unauthorized', message: 'Log in to use the wallet.' })
  const { address } = account
  const { domain } = input
  const { host } = globalThis.location ?? { host: domain ?? '' }
  if ((domain ?? host) !== host || (input.address ?? address) !== address)
    throw new SymbolonError({
      code: 'invalid_request',
      message: 'Leave out `domain` and `address`: a sign-in is for this page and account only.',
    })
  const text = signInMessage({ ...input, domain: host, address })
  return { account, ...(await signBytes(sign, new TextEncoder().encode(text))) }
}

/** The bytes, or a `TypeError` that says what they are the value of. */
function bytesOf(name: string, bytes: Uint8Array): Uint8Array {
  if (isBytes(bytes)) return bytes
  throw new TypeError(`\`${name}\` must be a Uint8Array`)
}

function handleOf(chain: string): string {
  const handle = Object.hasOwn(handles, chain) ? handles[chain] : undefined
  if (handle === undefined)
    throw new SymbolonError({ code: 'chain_unsupported', message: `The wallet has no chain ${chain}.` })
  return handle
}

/** One after the other: each may ask the user. */
async function oneByOne<input, output>(
  inputs: readonly input[],
  act: (input: input) => Promise<output>,
): Promise<output[]> {
  const outputs: output[] = []
  for (const input of inputs) outputs.push(await act(input))
  return outputs
}
