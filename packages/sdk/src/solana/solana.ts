import type { Announcement } from '../announce/announce.ts'
import { fromBase64, fromHex, toBase64 } from '../bytes.ts'
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
 * The user's wallet by the Wallet Standard, as `@wallet-standard/app` and the wallet adapters take it. Messages are signed
 * as bare bytes (`scheme: "raw"`), which the platform refuses where they are a transaction or what other networks sign.
 */
export function solana(parts: SolanaParts, { name, icon, login }: SolanaOptions): SolanaWallet {
  const { context, wallets, sign } = parts
  const nodes = forward(parts.rpcUrls, parts.fetch)
  const canSend = Object.values(handles).some(nodes.reaches)
  const events = emitter<{ change: { readonly accounts: readonly SolanaAccount[] } }>()
  let accounts: readonly SolanaAccount[] = []

  const set = (next: readonly SolanaAccount[]) => {
    const isSame = next.length === accounts.length && next[0]?.address === accounts[0]?.address
    if (isSame) return
    accounts = next
    events.emit('change', { accounts })
  }
  context.sessions.onChange(({ status }) => {
    if (status === 'signed_out') set([])
  })

  const accountOf = ({ public_key, addresses }: Wallet): SolanaAccount => ({
    address: addresses['solana'] ?? '',
    publicKey: fromHex(public_key),
    chains,
    features: names.filter((feature) => feature.startsWith('solana:')),
  })
  const connect = async ({ silent = false } = {}) => {
    if (!silent && context.sessions.token() === null) await login?.()
    if (context.sessions.token() === null && silent) return { accounts }
    const { data, error } = await wallets.get({ curve: 'ed25519' })
    if (error === null) set([accountOf(data)])
    else if (!silent && error.code === 'wallet_not_found') set([accountOf(await made())])
    else if (!silent) throw new SymbolonError(error)
    return { accounts }
  }
  const made = async () => {
    const result = await wallets.create({ curve: 'ed25519' })
    return result.error?.code === 'wallet_exists' ? (result.data as Wallet) : unwrap(result)
  }
  const own = ({ address }: { readonly address: string }) => {
    const mine = accounts.find((account) => account.address === address)
    if (mine === undefined)
      throw new SymbolonError({ code: 'wallet_not_found', message: 'This is not the account of the wallet.' })
    return mine
  }
  const signBytes = async (message: Uint8Array) => {
    const signed = await sign.message(message, { chain: 'solana', curve: 'ed25519', scheme: 'raw' })
    return { signedMessage: message, signature: fromHex(unwrap(signed).signature ?? '0x') }
  }
  const signTransaction = async ({ account, transaction, chain = 'solana:mainnet' }: TransactionInput) => {
    own(account)
    const signed = unwrap(await sign.transaction(toBase64(transaction), { chain: handleOf(chain) }))
    return { signedTransaction: fromBase64(String(signed.signed_transaction)) }
  }
  const send = async (input: SendInput) => {
    const { signedTransaction } = await signTransaction(input)
    const options = { ...input.options, encoding: 'base64' }
    await nodes.call(handleOf(input.chain), 'sendTransaction', [toBase64(signedTransaction), options])
    // One byte counts the signatures, the first of which is the transaction's id.
    return { signature: signedTransaction.slice(1, 65) }
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
    'solana:signMessage': {
      version: '1.1.0',
      signMessage: (...inputs) =>
        oneByOne(inputs, ({ account, message }) => {
          own(account)
          return signBytes(Uint8Array.from(message))
        }),
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: versions,
      signTransaction: (...inputs) => oneByOne(inputs, signTransaction),
    },
    'solana:signIn': {
      version: '1.0.0',
      signIn: (...inputs) =>
        oneByOne(inputs.length === 0 ? [{}] : inputs, async (input) => {
          const [account] = (await connect()).accounts
          if (account === undefined)
            throw new SymbolonError({ code: 'unauthorized', message: 'Log in to use the wallet.' })
          const { host } = globalThis.location ?? { host: input.domain ?? '' }
          if ((input.domain ?? host) !== host || (input.address ?? account.address) !== account.address)
            throw new SymbolonError({
              code: 'invalid_request',
              message: 'A sign-in names this page and this account only.',
            })
          const text = signInMessage({ ...input, domain: host, address: account.address })
          return { account, ...(await signBytes(new TextEncoder().encode(text))) }
        }),
    },
    ...(canSend && {
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: versions,
        signAndSendTransaction: (...inputs) => oneByOne(inputs, send),
      },
    }),
  }
  const names = Object.keys(features) as (keyof SolanaFeatures)[]

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

function handleOf(chain: string): string {
  const handle = Object.hasOwn(handles, chain) ? handles[chain] : undefined
  if (handle === undefined)
    throw new SymbolonError({ code: 'chain_unsupported', message: 'This chain is not supported.' })
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
