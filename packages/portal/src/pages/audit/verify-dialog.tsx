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

/** Verifies the whole log in this browser, and says how to do so without it. */
export function VerifyDialog({ onClose }: { onClose: () => void }) {
  const { id: orgID, slug } = useOrganization()
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

  return (
    <Dialog
      title="Verify the audit log"
      text="Your browser downloads every event, computes the root over them and holds it against the platform’s signed checkpoint."
      onClose={onClose}
      footer={
        <>
          <a
            href={`/v1/orgs/${orgID}/audit/export?checkpoint=true`}
            download={`audit-${slug}.ndjson`}
            className={`${buttonForm} ${buttonLooks.secondary}`}
          >
            <Download className="size-4" aria-hidden="true" /> Download the log
          </a>
          <a
            href={`/v1/orgs/${orgID}/audit/checkpoint`}
            download={`checkpoint-${slug}.json`}
            title="Keep it where the platform cannot change it: later logs are held against it"
            className={`${buttonForm} ${buttonLooks.secondary}`}
          >
            <Stamp className="size-4" aria-hidden="true" /> Checkpoint
          </a>
          <Button look="primary" isBusy={verify.isPending} onClick={() => begin()}>
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
          To leave this page out of it too, download the log and let a program check it, this one or one from
          the platform’s repository:
        </p>
        <CodeBlock language="Shell" what="commands" code={commands(slug)} />
      </div>
    </Dialog>
  )
}

const commands = (slug: string) => `curl -s ${location.origin}/.well-known/jwks.json > jwks.json
curl -so verify.mjs ${location.origin}/tools/verify.js
node verify.mjs audit-${slug}.ndjson --jwks jwks.json`

function Outcome({ report, earlierSize }: VerifiedLog) {
  const { verdict, size, rootHash, firstAt, lastAt, checkpoint, findings, findingsTotal } = report
  const failures = findings.filter(({ severity }) => severity !== 'notice')
  if (verdict === 'verified')
    return (
      <Notice look="good" title={`${plural(size, 'event')}: complete and unchanged.`}>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-xs">
          {firstAt !== undefined && lastAt !== undefined && (
            <>
              <dt>From, to</dt>
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
              ? 'first seen by this browser; the next time is compared with it'
              : `begins with the ${plural(earlierSize, 'event')} this browser verified before`}
          </dd>
        </dl>
      </Notice>
    )
  return (
    <Notice
      look={verdict === 'failed' ? 'bad' : 'warn'}
      title={
        verdict === 'failed'
          ? 'This log is not what was signed.'
          : 'The log could not be proven to be complete.'
      }
    >
      <ul className="flex list-disc flex-col gap-1 pl-4 text-xs">
        {failures.slice(0, 8).map(({ code, message, line }) => (
          <li key={`${code} ${line ?? ''}`}>
            {message} {line !== undefined && `(line ${count(line)})`}
          </li>
        ))}
      </ul>
      {findingsTotal > 8 && <p className="mt-1 text-xs">{plural(findingsTotal, 'finding')} in all.</p>}
      <p className="mt-2">
        Download the log and keep it: it is evidence. Then ask whoever runs this platform.
      </p>
    </Notice>
  )
}
