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

/** What the wire takes, and more than a person reads. */
const actionsMax = 256
const warningsMax = 64

/** Stands for the actions of a payload beyond those that are shown. */
const furtherActions: PreviewAction = {
  kind: 'unknown',
  to: null,
  asset: null,
  amount: null,
  amount_display: null,
  method: null,
  args: null,
}

/** The preview of what a payload decodes to; `expiresAt` is ISO 8601, by default the expiry in the bytes. */
export function signPreview(
  decoded: Decoded,
  chain: Chain,
  from: string,
  expiresAt: string | null = isoTime(decoded.expiresAtMs),
): SignPreview {
  const { actions, warnings } = decoded
  const left = actions.length - actionsMax + 1
  const shown = left > 1 ? actions.slice(0, -left) : actions
  const more = left > 1 ? [`${left} further actions are not shown.`] : []
  return {
    title: decoded.title,
    chain: chain.handle,
    from: decoded.from ?? from,
    actions: left > 1 ? [...shown.map(previewAction), furtherActions] : shown.map(previewAction),
    fee: decoded.fee && { asset: decoded.fee.asset, amount: decoded.fee.amount.toString() },
    warnings: [...more, ...warnings].slice(0, warningsMax),
    expires_at: expiresAt,
  }
}

function isoTime(timeMs: number | undefined): string | null {
  return timeMs === undefined ? null : new Date(timeMs).toISOString()
}

function previewAction({ kind, to, asset, amount, amountDisplay, method, args }: Action): PreviewAction {
  return { kind, to, asset, amount: amount?.toString() ?? null, amount_display: amountDisplay, method, args }
}
