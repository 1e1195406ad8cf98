import type { Chain } from '../chain.ts'
import type { Action, Decoded } from '../effect.ts'

/** One action of a preview; amounts are decimal strings in the smallest unit, what does not apply is null. */
export type PreviewAction = {
  kind: Action['kind']
  to: string | null
  asset: string | null
  amount: string | null
  amount_display: string | null
  method: string | null
  args: Readonly<Record<string, string>> | null
}

/** What a person is shown before a signature, decoded from the very bytes; snake_case as on the wire. */
export type SignPreview = {
  title: string
  chain: string
  from: string
  actions: PreviewAction[]
  fee: { asset: string; amount: string } | null
  warnings: string[]
  expires_at: string | null
}

/** The preview of what a payload decodes to; `expiresAt` is ISO 8601, by default the expiry in the bytes. */
export function signPreview(
  decoded: Decoded,
  chain: Chain,
  from: string,
  expiresAt: string | null = isoTime(decoded.expiresAtMs),
): SignPreview {
  return {
    title: decoded.title,
    chain: chain.handle,
    from: decoded.from ?? from,
    actions: decoded.actions.map(previewAction),
    fee: decoded.fee && { asset: decoded.fee.asset, amount: decoded.fee.amount.toString() },
    warnings: [...decoded.warnings],
    expires_at: expiresAt,
  }
}

function isoTime(timeMs: number | undefined): string | null {
  return timeMs === undefined ? null : new Date(timeMs).toISOString()
}

function previewAction({ kind, to, asset, amount, amountDisplay, method, args }: Action): PreviewAction {
  return { kind, to, asset, amount: amount?.toString() ?? null, amount_display: amountDisplay, method, args }
}
