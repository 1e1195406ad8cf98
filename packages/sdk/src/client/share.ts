import type { Curve, Wallet } from '../generated/answers.ts'
import type { Result } from '../result.ts'
import type { Context, WalletCode } from './context.ts'
import type { CurveOption } from './wallets.ts'

type RecoveryRoutes =
  | 'POST /v1/wallets/me/recovery/initiate'
  | 'POST /v1/wallets/me/recovery/{recovery_process_id}/verify'
  | 'POST /v1/wallets/me/recovery/{recovery_process_id}/complete'
type ExportRoutes =
  | 'POST /v1/wallets/me/shares/provider'
  | 'POST /v1/wallets/me/export/initiate'
  | 'POST /v1/wallets/me/export/complete'

/** Which shares are in force now. */
export type ShareVersion = { readonly wallet_id: string; readonly polynomial_version: number }

/** Shares of wallets in client mode. */
export type Share = {
  /** Splits the key anew, which makes copies of older shares worthless. */
  refresh(
    options?: CurveOption,
  ): Promise<Result<ShareVersion, WalletCode<'POST /v1/wallets/me/shares/refresh' | 'GET /v1/wallets/me'>>>
  /**
   * Whether the shares are older than `refreshAfterMonths` of the client's options. The time counts from the wallet's last
   * change of any kind (`updated_at`), because the API has no more exact date.
   */
  isRefreshDue(wallet: Pick<Wallet, 'updated_at'>): boolean
  /** Refreshes the shares if that is due; otherwise, data is null. */
  refreshIfDue(
    options?: CurveOption,
  ): Promise<
    Result<ShareVersion | null, WalletCode<'POST /v1/wallets/me/shares/refresh' | 'GET /v1/wallets/me'>>
  >
}

/** Recovery of a wallet in client mode after the device is lost. */
export type Recovery = {
  /** Emails a code, asks for it in the wallet frame, and restores the key on this device. */
  run(options?: CurveOption): Promise<Result<ShareVersion, WalletCode<RecoveryRoutes>>>
}

/** Private keys, shown only to their owners. */
export type Keys = {
  /** Shows the private key in the wallet frame after a warning (in TEE mode after an emailed code); never to the page. */
  export(options?: CurveOption): Promise<Result<{ is_revealed: boolean }, WalletCode<ExportRoutes>>>
}

/** A user's operations on the shares and the key itself; all of them happen in the wallet frame. */
export function share(
  { call, frame, now, changes }: Context,
  refreshAfterMonths: number | undefined,
): { share: Share; recovery: Recovery; keys: Keys } {
  const announced = async <result extends Result<unknown>>(
    curve: Curve,
    asked: Promise<result>,
  ): Promise<result> => {
    const result = await asked
    if (result.error === null) changes.emit('wallet', { curve })
    return result
  }
  const refresh = (curve: Curve) =>
    announced(curve, frame.request('share.refresh', { curve }) as ReturnType<Share['refresh']>)
  const isRefreshDue: Share['isRefreshDue'] = ({ updated_at }) => {
    if (refreshAfterMonths === undefined) return false
    const due = new Date(updated_at)
    due.setUTCMonth(due.getUTCMonth() + refreshAfterMonths)
    return now() >= due.getTime()
  }
  return {
    share: {
      refresh: ({ curve = 'secp256k1' } = {}) => refresh(curve),
      isRefreshDue,
      async refreshIfDue({ curve = 'secp256k1' } = {}) {
        const wallet = await call('GET /v1/wallets/me', { query: { curve } })
        if (wallet.error !== null) return wallet
        return isRefreshDue(wallet.data) ? refresh(curve) : { data: null, error: null }
      },
    },
    recovery: {
      run: ({ curve = 'secp256k1' } = {}) =>
        announced(curve, frame.request('recovery.run', { curve }) as ReturnType<Recovery['run']>),
    },
    keys: {
      export: ({ curve = 'secp256k1' } = {}) =>
        frame.request('key.export', { curve }) as ReturnType<Keys['export']>,
    },
  }
}
