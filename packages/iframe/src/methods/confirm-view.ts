import type { Chain, SignIntent, SignPreview } from '@symbolon/networks/browser'
import { toBase64, toHex0x } from '@symbolon/networks/request'
import type { ConfirmView, DialogDetail } from '../dialogs/dialogs.ts'

/** The view of an intent for a person: the preview decoded here, a readable message, the raw payload. */
export function confirmView(
  pageOrigin: string,
  intent: SignIntent,
  preview: SignPreview,
  chain: Chain,
): ConfirmView {
  return {
    pageOrigin,
    subject: intent.kind === 'transaction' ? 'transaction' : 'signature',
    preview,
    chainId: typeof chain.chainId === 'number' ? chain.chainId : null,
    nativeAsset: chain.nativeAsset,
    feePaidBy: null,
    message: intent.kind === 'message' ? readable(intent.message) : null,
    ...(intent.kind === 'typed_data' && { domain: domainOf(intent.typedData) }),
    details: detailsOf(intent),
  }
}

const domainLabels = { name: 'Application', version: 'Version', chainId: 'For chain id', salt: 'Salt' }

/** What a domain says; its contract stands with the action. */
function domainOf(typedData: string): DialogDetail[] {
  const { domain } = JSON.parse(typedData)
  return Object.entries(domainLabels).flatMap(([name, label]) =>
    Object.hasOwn(domain, name) ? [{ label, text: String(domain[name]) }] : [],
  )
}

function detailsOf(intent: SignIntent): DialogDetail[] {
  switch (intent.kind) {
    case 'message':
      return [{ label: 'Message (hex)', text: toHex0x(intent.message) }]
    case 'typed_data':
      return [{ label: 'Typed data', text: JSON.stringify(JSON.parse(intent.typedData), null, 2) }]
    case 'transaction':
      return intent.network === 'evm' || intent.network === 'tron'
        ? [{ label: 'Transaction (hex)', text: toHex0x(intent.bytes) }]
        : [{ label: 'Transaction (base64)', text: toBase64(intent.bytes) }]
    case 'hash':
    case 'user_operation':
      return [{ label: 'Hash', text: toHex0x(intent.hash) }]
    case 'authorization':
      return [{ label: 'Contract', text: toHex0x(intent.contract) }]
  }
}

/** The text of bytes that are one, otherwise null. */
function readable(message: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(message)
  } catch {
    return null
  }
}
