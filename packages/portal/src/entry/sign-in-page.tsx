import { ArrowRight, FileCheck2, KeyRound, ShieldCheck } from 'lucide-react'
import { useEffect } from 'react'
import { buttonForm, buttonLooks } from '../ui/button.tsx'
import { Mark } from '../ui/mark.tsx'
import { Notice } from '../ui/notice.tsx'

const failures: Record<string, readonly [string, string]> = {
  refused: [
    'The login did not go through.',
    'It may have been cancelled, taken longer than ten minutes or begun in another browser. Sign in again.',
  ],
  unreachable: [
    'The identity provider does not answer.',
    'Try again in a minute. If it stays, tell whoever runs this platform.',
  ],
  no_verified_email: [
    'Your e-mail address is not verified.',
    'Verify it at the identity provider, then sign in again.',
  ],
}
const otherFailure = ['The login did not go through.', 'Sign in again.'] as const

const promises = [
  [KeyRound, 'Keys you control', 'Mint, scope, rotate and revoke them; every change takes effect at once.'],
  [
    ShieldCheck,
    'Wallets nobody else can use',
    'A key is whole only for a signature, in the user’s browser or an attested enclave.',
  ],
  [FileCheck2, 'A log that proves itself', 'Verify in your browser that no event was changed or left out.'],
] as const

/** The way in: one button to the identity provider, which brings people back to `returnTo`. */
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
              With the account of your work. If you were invited, use the address that the invitation came to.
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
