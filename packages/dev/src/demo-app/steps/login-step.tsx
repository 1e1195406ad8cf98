import { useSession, useSymbolon } from '@symbolon/sdk/react'
import { type FormEvent, useState } from 'react'
import { ErrorNotice } from '../error-notice.tsx'
import { StepCard } from '../step-card.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { useLoggedAction } from '../use-logged-action.ts'
import type { Mail } from '../use-mailbox.ts'

const code = `import { createClient } from '@symbolon/sdk'

const client = createClient({
  publishableKey: 'pk_live_…',
  baseUrl: 'https://wallets.example.com',
})

await client.auth.sendCode('ada@example.test')
// The user types the six digits from the email:
const { data, error } = await client.auth.verifyCode('ada@example.test', code)`

type LoginProps = {
  email: string
  onEmail: (email: string) => void
  mails: readonly Mail[]
}

/** Logging in by an emailed code. */
export function LoginStep(props: LoginProps) {
  const client = useSymbolon()
  const session = useSession()
  const logout = useLoggedAction<unknown>()
  const isIn = session.status === 'signed_in'
  return (
    <StepCard
      number={1}
      title="Log in"
      lead={
        session.status === 'signed_out'
          ? 'With a code sent by email. No password, no extension, no installation.'
          : `You are logged in as ${session.email ?? 'a user of your identity provider'}.`
      }
      code={code}
      isDone={isIn}
    >
      {isIn ? (
        <div>
          <Button
            isBusy={logout.isRunning}
            onClick={() => void logout.run('auth.logout()', () => client.auth.logout())}
          >
            Log out
          </Button>
        </div>
      ) : (
        <CodeLogin {...props} />
      )}
    </StepCard>
  )
}

function CodeLogin({ email, onEmail, mails }: LoginProps) {
  const client = useSymbolon()
  const send = useLoggedAction<unknown>()
  const verify = useLoggedAction<unknown>()
  const [sentAt, setSentAt] = useState<Date>()
  // A clock that was moved by POST /dev/clock moves no email: only what came since then counts.
  const newest = mails.find(
    ({ receivedAt }) => sentAt !== undefined && receivedAt.getTime() > sentAt.getTime() - 2_000,
  )

  const sendCode = (event?: FormEvent) => {
    event?.preventDefault()
    setSentAt(new Date())
    verify.clear()
    void send
      .run(`auth.sendCode('${email}')`, () => client.auth.sendCode(email))
      .then((result) => result?.error && setSentAt(undefined))
  }
  const verifyCode = (digits: string) => {
    void verify
      .run(`auth.verifyCode('${email}', '${digits}')`, () => client.auth.verifyCode(email, digits))
      .then((result) => result?.error === null && setSentAt(undefined))
  }

  return (
    <>
      <form onSubmit={sendCode} className="flex flex-wrap items-end gap-3">
        <Field
          label="Email"
          type="email"
          required
          autoComplete="email"
          value={email}
          onText={(text) => {
            onEmail(text.trim())
            setSentAt(undefined)
          }}
        />
        <Button type="submit" look={sentAt === undefined ? 'primary' : 'secondary'} isBusy={send.isRunning}>
          {sentAt === undefined ? 'Email me a code' : 'Email another code'}
        </Button>
      </form>
      <ErrorNotice error={send.error} />
      {sentAt !== undefined && !send.isRunning && (
        <CodeForm mailed={newest?.code} isBusy={verify.isRunning} onCode={verifyCode} />
      )}
      <ErrorNotice error={verify.error} />
      {sentAt !== undefined && newest === undefined && !send.isRunning && (
        <Notice look="plain">The email is on its way to the mailbox.</Notice>
      )}
    </>
  )
}

/** The digits as the user types them, or those that were `mailed`. */
function CodeForm({
  mailed,
  isBusy,
  onCode,
}: {
  mailed: string | undefined
  isBusy: boolean
  onCode: (digits: string) => void
}) {
  const [entered, setEntered] = useState('')
  const enter = (digits: string) => {
    setEntered(digits)
    onCode(digits)
  }
  return (
    <form
      className="appear flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onCode(entered)
      }}
    >
      <Field
        label="Code from the email"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9]{6}"
        maxLength={6}
        required
        autoFocus
        placeholder="123456"
        value={entered}
        onText={(text) => setEntered(text.replaceAll(/\D/g, ''))}
      />
      <Button type="submit" look="primary" isBusy={isBusy}>
        Log in
      </Button>
      {mailed !== undefined && <Button onClick={() => enter(mailed)}>Use {mailed} from the mailbox</Button>}
    </form>
  )
}
