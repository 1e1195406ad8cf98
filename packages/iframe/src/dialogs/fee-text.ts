import type { ConfirmView } from './dialogs.ts'

/** The highest fee as a person reads it, in the native asset; `null` where the bytes name none. */
export function feeText({
  preview,
  nativeAsset,
}: Pick<ConfirmView, 'preview' | 'nativeAsset'>): string | null {
  const { fee } = preview
  if (fee === null) return null
  const { symbol, decimals } = nativeAsset
  if (fee.asset !== symbol || !/^\d{1,78}$/.test(fee.amount))
    return `${fee.amount} (${fee.asset}), smallest units`
  const digits = fee.amount.padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${whole}${fraction === '' ? '' : `.${fraction}`} ${symbol}`
}
