import { plainNote, type SignPreview } from '@symbolon/networks/browser'

/** Whether the decoder here found nothing dangerous in typed data that it does not know: the one unknown effect that is no alarm. */
export function isPlain({ actions, warnings }: SignPreview): boolean {
  return actions.length === 1 && actions[0]?.kind === 'unknown' && warnings.includes(plainNote)
}
