import { useMutation } from '@tanstack/react-query'
import { Download, LoaderCircle, Stamp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useOrganization } from '../../data/organization.tsx'
import { Button, buttonForm, buttonLooks } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { count, plural } from '../../ui/format.ts'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { ExactTime } from '../../ui/time.tsx'
import { type VerifiedLog, verifyLog } from './verify-log.ts'

/** Verifies the whole log in this browser, and shows how to do it outside of it. */
export function VerifyDialog({ onClose }: { onClose: () => void }) {
  const { slug } = useOrganization()
  const { verify, size } = useVerification()
  return (
    <Dialog
      title="Verify the audit log"
      text="Your browser downloads every event, computes the root hash and compares it with the platform’s signed checkpoint."
      onClose={onClose}
      footer={
        <>
          <Downloads />
          <Button look="primary" isBusy={verify.isPending} onClick={() => verify.mutate()}>
            Verify again
          </Button>
        </>
      }
    >
      <div role="status" className="flex min-h-20 flex-col justify-center">
        {verify.isPending && (
          <p className="flex items-center gap-3 text-sm tabular-nums">
            <LoaderCircle className="size-5 text-accent motion-safe:animate-spin" aria-hidden="true" />
            {size === 0 ? 'Reading the log…' : `${count(size)} events so far…`}
          </p>
        )}
        {verify.data !== undefined && !verify.isPending && <Outcome {...verify.data} />}
      </div>
      {!verify.isPending && <ErrorNotice error={verify.error} />}
      <div className="flex flex-col gap-2">
        <p className="text-sm text-pretty text-muted">
          To verify without trusting this page, download the log and check it with this program, or with the
          one in the platform’s repository:
        </p>
        <CodeBlock language="Shell" what="commands" code={commands(slug)} />
      </div>
    </Dialog>
  )
}

/** Verifies the log as soon as it is mounted, until it is unmounted; `size` is the number of events read so far. */
function useVerification() {
  const { id: orgID } = useOrganization()
  const [size, setSize] = useState(0)
  const controller = useRef(new AbortController())
  const verify = useMutation({
    mutationFn: () => {
      controller.current = new AbortController()
      setSize(0)
      return verifyLog(orgID, { signal: controller.current.signal, onProgress: setSize })
    },
  })
  const begin = verify.mutate
  useEffect(() => {
    begin()
    return () => controller.current.abort()
  }, [begin])
  return { verify, size }
}

function Downloads() {
  const { id: orgID, slug } = useOrganization()
  const look = `${buttonForm} ${buttonLooks.secondary}`
  return (
    <>
      <a
        href={`/v1/orgs/${orgID}/audit/export?checkpoint=true`}
        download={`audit-${slug}.ndjson`}
        className={look}
      >
        <Download className="size-4" aria-hidden="true" /> Download log
      </a>
      <a
        href={`/v1/orgs/${orgID}/audit/checkpoint`}
        download={`checkpoint-${slug}.json`}
        title="Store it outside the platform and compare later logs with it"
        className={look}
      >
        <Stamp className="size-4" aria-hidden="true" /> Checkpoint
      </a>
    </>
  )
}

const commands = (slug: string) => `curl -s ${location.origin}/.well-known/jwks.json > jwks.json
curl -so verify.mjs ${location.origin}/tools/verify.js
node verify.mjs audit-${slug}.ndjson --jwks jwks.json`

function Outcome({ report, earlierSize }: VerifiedLog) {
  return report.verdict === 'verified' ? (
    <Verified report={report} earlierSize={earlierSize} />
  ) : (
    <NotVerified report={report} />
  )
}

function Verified({ report: { size, rootHash, firstAt, lastAt, checkpoint }, earlierSize }: VerifiedLog) {
  return (
    <Notice look="good" title={`${plural(size, 'event')}: complete and unchanged`}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-xs">
        {firstAt !== undefined && lastAt !== undefined && (
          <>
            <dt>Period</dt>
            <dd>
              <ExactTime at={firstAt} /> to <ExactTime at={lastAt} />
            </dd>
          </>
        )}
        <dt>Root</dt>
        <dd className="font-mono wrap-anywhere">{rootHash}</dd>
        <dt>Signed by</dt>
        <dd className="font-mono wrap-anywhere">{checkpoint?.kid ?? checkpoint?.host}</dd>
        <dt>History</dt>
        <dd>
          {earlierSize === undefined
            ? 'First verified in this browser; it will compare the next time'
            : `Starts with the ${plural(earlierSize, 'event')} this browser verified before`}
        </dd>
      </dl>
    </Notice>
  )
}

function NotVerified({ report: { verdict, findings, findingsTotal } }: Pick<VerifiedLog, 'report'>) {
  const isFailed = verdict === 'failed'
  const failures = findings.filter(({ severity }) => severity !== 'notice')
  return (
    <Notice
      look={isFailed ? 'bad' : 'warn'}
      title={isFailed ? 'This log differs from what was signed' : 'The log couldn’t be proven complete'}
    >
      <ul className="flex list-disc flex-col gap-1 pl-4 text-xs">
        {failures.slice(0, 8).map(({ code, message, line }) => (
          <li key={`${code} ${line ?? ''}`}>
            {message} {line !== undefined && `(line ${count(line)})`}
          </li>
        ))}
      </ul>
      {findingsTotal > 8 && <p className="mt-1 text-xs">{plural(findingsTotal, 'finding')} in total.</p>}
      <p className="mt-2">
        Download the log and keep it as evidence. Then contact the operator of this platform.
      </p>
    </Notice>
  )
}
