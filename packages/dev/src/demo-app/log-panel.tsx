import { type LoggedCall, useCallLog, useLoggedCalls } from './call-log.ts'
import { Check, Cross, Spinner } from './ui/icons.tsx'

/** The calls of the page, newest first: code, time, result, and the page's own requests. */
export function LogPanel() {
  const calls = useLoggedCalls()
  const { clear } = useCallLog()
  return (
    <section
      id="log"
      aria-labelledby="log-title"
      className="flex min-h-24 flex-col rounded-xl border border-line bg-surface"
    >
      <div className="flex min-h-12 items-center justify-between gap-2 px-4">
        <h2 id="log-title" className="text-sm font-semibold">
          What happens
        </h2>
        {calls.length > 0 && (
          <button type="button" onClick={clear} className="min-h-9 px-2 text-xs text-muted underline">
            clear
          </button>
        )}
      </div>
      {calls.length === 0 ? (
        <p className="px-4 pb-4 text-xs text-muted">
          Every call of <code className="font-mono">@symbolon/sdk</code> shows up here, with its time and
          result.
        </p>
      ) : (
        <ol className="min-h-0 divide-y divide-line overflow-y-auto border-t border-line">
          {calls.map((call) => (
            <Call key={call.id} call={call} />
          ))}
        </ol>
      )}
    </section>
  )
}

/** How a call stands, as a picture and for screen readers. */
export function CallState({ state }: { state: LoggedCall['state'] }) {
  const [label, look, icon] = {
    running: ['running', 'text-muted', <Spinner key="r" />] as const,
    done: ['done', 'text-good', <Check key="d" />] as const,
    failed: ['failed', 'text-bad', <Cross key="f" />] as const,
  }[state]
  return (
    <span className={`mt-0.5 ${look}`}>
      {icon}
      <span className="sr-only">{label}</span>
    </span>
  )
}

/** A time as people read it. */
export function shownMs(ms: number): string {
  return ms < 1_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1_000).toFixed(1)} s`
}

function Call({ call }: { call: LoggedCall }) {
  return (
    <li className="appear px-4 py-2.5">
      <details>
        <summary className="flex gap-2 text-xs marker:content-none">
          <CallState state={call.state} />
          <code className="min-w-0 flex-1 font-mono leading-5 break-words">{call.code}</code>
          <span className="leading-5 whitespace-nowrap text-muted tabular-nums">
            {call.state === 'running' ? '' : shownMs(call.ms)}
          </span>
        </summary>
        <div className="mt-1 grid gap-1.5 pl-6">
          <time className="text-xs text-muted">{new Date(call.at).toLocaleTimeString()}</time>
          {call.outcome !== '' && (
            <pre className="max-h-56 overflow-auto rounded-md bg-sunken p-2 font-mono text-[11px] leading-relaxed break-all whitespace-pre-wrap">
              {call.outcome}
            </pre>
          )}
        </div>
      </details>
      {call.state === 'failed' && <p className="mt-1 pl-6 text-xs text-bad">{call.outcome}</p>}
      {call.requests.map((request) => (
        <p
          key={`${request.path} ${request.ms}`}
          className="mt-1 flex gap-2 pl-6 font-mono text-[11px] text-muted"
        >
          <span className="min-w-0 flex-1 truncate" title={request.path}>
            {request.path}
          </span>
          <span className={request.status >= 400 ? 'text-bad' : ''}>{request.status}</span>
          <span className="w-12 text-right tabular-nums">{shownMs(request.ms)}</span>
        </p>
      ))}
    </li>
  )
}
