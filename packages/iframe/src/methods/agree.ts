import type { AgreeView } from '../dialogs/dialogs.ts'
import { FrameFailure } from '../frame-failure.ts'
import type { Vault } from './vault.ts'

/** Has the person agree to a change to this device's part of a key; `user_rejected` otherwise. */
export async function agree(
  vault: Vault,
  view: Omit<AgreeView, 'pageOrigin'>,
  signal: AbortSignal,
): Promise<void> {
  const { pageOrigin } = vault
  const isAgreed = await vault.dialogs.agree({ ...view, pageOrigin }, signal)
  if (!isAgreed) throw new FrameFailure('user_rejected')
}
