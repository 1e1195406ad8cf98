import type { SdkError } from '@symbolon/sdk'
import { Notice } from './ui/notice.tsx'

/** Advice on the errors that a newcomer meets; the messages of all others have it. */
const advice: Record<string, string> = {
  invalid_code: 'Use the newest email in the mailbox: older codes no longer work.',
  rate_limited: 'Wait a few seconds and try again. The limits are those of production.',
  token_expired: 'A login lasts an hour. Log out and in again.',
  token_revoked: 'Log in again.',
  unauthorized: 'Log in again. If that does not help, restart the platform and reload this page.',
  device_share_missing: 'This browser has no share of the key. Use “Recover with an emailed code” below.',
  device_share_outdated:
    'Another device has recovered or refreshed this wallet. Use “Recover with an emailed code” below.',
  user_rejected: 'You closed the dialog; nothing was signed. Try again whenever you like.',
  estimate_gas_reverted:
    'The chain would reject this. Check that the wallet has enough ETH: the faucet gives more.',
  gas_cap_exceeded: 'This wallet has used its sponsored gas for the month.',
  rpc_failed: 'The local chain does not answer yet. It starts a few seconds after the platform; try again.',
  bundler_failed:
    'The local bundler does not answer yet. It starts a few seconds after the platform; try again.',
  network_failed: 'Is the platform still running? Check the terminal that runs npm start.',
  timeout: 'It took too long. Is the platform still running? Try again.',
}

/** An error in words, with advice and its code for a search. */
export function ErrorNotice({ error }: { error: Pick<SdkError, 'code' | 'message'> | undefined }) {
  if (error === undefined) return null
  return (
    <Notice look="bad">
      <p className="font-medium">{error.message}</p>
      {advice[error.code] !== undefined && <p className="mt-0.5">{advice[error.code]}</p>}
      <p className="mt-1 font-mono text-xs">{error.code}</p>
    </Notice>
  )
}
