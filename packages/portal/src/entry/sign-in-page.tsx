import { ArrowRight, FileCheck2, KeyRound, ShieldCheck } from 'lucide-react'
import { useEffect } from 'react'
import { buttonForm, buttonLooks } from '../ui/button.tsx'
import { Mark } from '../ui/mark.tsx'
import { Notice } from '../ui/notice.tsx'

const failures: Record<string, readonly [string, string]> = {
  refused: [
    'We couldn’t sign you in.',
    'You may have cancelled, taken longer than ten minutes or started in another browser. Try again.',
  ],
  unreachable: [
    'The identity provider isn’t responding.',
    'Try again in a minute. If it keeps failing, contact the operator of this platform.',
  ],
  no_verified_email: [
    'Your email address isn’t verified.',
    'Verify it with your identity provider, then sign in again.',
  ],
}
const otherFailure = ['We couldn’t sign you in.', 'Try again.'] as const

const promises = [
  [
    KeyRound,
    'API keys under your control',
    'Create, scope, rotate and revoke them. Changes take effect immediately.',
  ],
  [
    ShieldCheck,
    'Wallets only their owners can use',
    'A key is assembled only to sign, in the user’s browser or in an attested enclave.',
  ],
  [FileCheck2, 'A verifiable audit log', 'Check in your browser that no event was changed or removed.'],
] as const

/** The sign-in page: a button to the identity provider, which returns to `returnTo`. */
export function SignInPage({ returnTo, failure }: { returnTo: string; failure?: string | undefined }) {
  useEffect(() => {
    document.title = 'Sign in · Symbolon'
  }, [])
  const [title, advice] = failures[failure ?? ''] ?? otherFailure
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="flex w-full max-w-md flex-col gap-6">
        <div className="flex items-center gap-2.5 text-lg font-semibold">
          <Mark className="size-9" /> Symbolon
        </div>
        <div className="flex flex-col gap-5 rounded-2xl border border-line bg-surface p-6 sm:p-8">
          <div className="flex flex-col gap-1.5">
            <h1 className="text-xl font-semibold tracking-tight">Sign in to the portal</h1>
            <p className="text-sm text-pretty text-muted">
              Use your work account. If you were invited, use the address that received the invitation.
            </p>
          </div>
          {failure !== undefined && (
            <Notice look="bad" title={title}>
              {advice}
            </Notice>
          )}
          <a
            href={`/v1/auth/login?${new URLSearchParams({ return_to: returnTo })}`}
            className={`${buttonForm} ${buttonLooks.primary} min-h-11`}
          >
            Continue <ArrowRight className="size-4" aria-hidden="true" />
          </a>
        </div>
        <ul className="flex flex-col gap-3 px-1">
          {promises.map(([Icon, name, text]) => (
            <li key={name} className="flex gap-3 text-sm">
              <Icon className="mt-0.5 size-4 shrink-0 text-accent" aria-hidden="true" />
              <p className="text-pretty text-muted">
                <span className="font-medium text-ink">{name}.</span> {text}
              </p>
            </li>
          ))}
        </ul>
      </div>
    </main>
  )
}
