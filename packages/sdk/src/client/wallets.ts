import type { FrameCode } from '../frame/frame-code.ts'
import type { Curve, Wallet, Wallets as WalletList } from '../generated/answers.ts'
import type { CreateWallet } from '../generated/requests.ts'
import { failure, type Result } from '../result.ts'
import type { ApiCode, Context, WalletCode } from './context.ts'

/** A curve; default `secp256k1`. */
export type CurveOption = { readonly curve?: Curve }

/** How this browser stands to a wallet; `outdated` after a recovery or refresh elsewhere. */
export type DeviceState = {
  readonly deviceShare: 'present' | 'absent' | 'outdated'
  /** False where the browser refuses storage: the share is gone with the page. */
  readonly isDurable: boolean
  readonly wallet: Wallet
}

/** The wallets of the user: at most one per curve. */
export type Wallets = {
  /** The active wallet of the curve. */
  get(options?: CurveOption): Promise<Result<Wallet, ApiCode<'GET /v1/wallets/me'>>>
  /** All wallets, archived ones included. */
  list(): Promise<Result<WalletList, ApiCode<'GET /v1/wallets/me/all'>>>
  /** Creates the wallet. If there already is one, the error is `wallet_exists`, with the wallet as data. */
  create(
    options?: Pick<CreateWallet, 'curve' | 'chain_type'>,
  ): Promise<Result<Wallet, WalletCode<'POST /v1/wallets'>>>
  /** Asks the user for a private key in the wallet frame, and creates the wallet from it. */
  import(options?: CurveOption): Promise<Imported>
  /** Whether this browser can sign. Organizations in client mode only. */
  deviceState(options?: CurveOption): Promise<Result<DeviceState, WalletCode<'GET /v1/wallets/me'>>>
  /** Calls back after a creation, import, recovery or refresh through this client; returns the unsubscribe function. */
  onChange(listener: (change: { readonly curve: Curve }) => void): () => void
  /** Deletes this browser's shares of the user's wallets, as on a borrowed device. The wallets stay; recovery brings a new share. */
  wipeDevice(): Promise<Result<null, FrameCode>>
}

/** The wallets of a client. */
export function wallets({ call, frame, mode, changes }: Context): Wallets {
  const create = async (curve: Curve, chain_type: CreateWallet['chain_type']): Promise<WalletResult> => {
    const signing = await mode()
    if (signing.error !== null) return signing
    if (signing.data === 'tee')
      return call('POST /v1/wallets', { body: { curve, ...(chain_type && { chain_type }) } })
    if (chain_type !== undefined)
      return failure('invalid_request', 'chain_type is for organizations in TEE mode.')
    return (await frame.request('wallet.create', { curve })) as WalletResult
  }
  /** A wallet that exists already is news, too, to whoever has seen none. */
  const announced = <result extends WalletResult | Imported>(result: result): result => {
    if (result.data !== null) changes.emit('wallet', { curve: result.data.curve })
    return result
  }
  return {
    get: ({ curve } = {}) => call('GET /v1/wallets/me', { query: { ...(curve && { curve }) } }),
    list: () => call('GET /v1/wallets/me/all', {}),
    create: async ({ curve = 'secp256k1', chain_type } = {}) => announced(await create(curve, chain_type)),
    async import({ curve = 'secp256k1' } = {}) {
      return announced((await frame.request('wallet.import', { curve })) as Imported)
    },
    async deviceState({ curve = 'secp256k1' } = {}) {
      const result = await frame.request('device.state', { curve })
      if (result.error !== null) return result
      const { device_share, is_durable, wallet } = result.data
      return {
        data: { deviceShare: device_share, isDurable: is_durable, wallet: wallet as Wallet },
        error: null,
      }
    },
    onChange(listener) {
      changes.on('wallet', listener)
      return () => changes.off('wallet', listener)
    },
    async wipeDevice() {
      const { error } = await frame.request('device.wipe', {})
      return error === null ? { data: null, error } : { data: null, error }
    },
  }
}

/** The imported wallet; where there is one already, the error `wallet_exists` comes with it as data. */
type Imported = Result<
  Wallet,
  WalletCode<
    'POST /v1/wallets' | 'POST /v1/wallets/me/import/initiate' | 'POST /v1/wallets/me/import/complete'
  >
>
// The frame passes the API's answers on unchanged.
type WalletResult = Result<Wallet, WalletCode<'POST /v1/wallets'>>
