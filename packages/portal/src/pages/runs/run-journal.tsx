import type { AgentRunStep } from '@symbolon/sdk/portal'
import { CodeBlock } from '../../ui/code.tsx'
import { Time } from '../../ui/time.tsx'

const kinds: Record<string, string> = {
  think: 'Thought',
  note: 'Noted',
  delegate: 'Delegated',
  ask: 'Asked',
  resume: 'Went on',
  end: 'Ended',
}

/** What a runner did, in order; what went in and came out is below each entry. */
export function RunJournal({ steps }: { steps: readonly AgentRunStep[] }) {
  if (steps.length === 0) return <p className="text-sm text-muted">Nothing yet: it waits for its turn.</p>
  return (
    <ol className="flex flex-col">
      {steps.map((step) => (
        <li key={step.seq} className="group relative flex gap-3 pb-4 text-sm last:pb-0">
          <span className="flex flex-col items-center" aria-hidden="true">
            <span className={`mt-1.5 size-2.5 shrink-0 rounded-full ${dotOf(step)}`} />
            <span className="w-px flex-1 bg-line group-last:hidden" />
          </span>
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <span className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="font-medium">{titleOf(step)}</span>
              <span className="text-xs text-muted">
                <Time at={step.created_at} />
              </span>
            </span>
            {sentenceOf(step) !== undefined && (
              <span className="wrap-anywhere text-muted">{sentenceOf(step)}</span>
            )}
            <Values step={step} />
          </div>
        </li>
      ))}
    </ol>
  )
}

function Values({ step: { seq, input, output } }: { step: AgentRunStep }) {
  const shown = [
    ['In', input],
    ['Out', output],
  ] as const
  const filled = shown.filter(([, value]) => value !== null && value !== undefined)
  if (filled.length === 0) return null
  return (
    <details>
      <summary className="w-fit text-xs text-accent hover:underline">Look closer</summary>
      <div className="mt-2 flex flex-col gap-2">
        {filled.map(([name, value]) => (
          <CodeBlock
            key={name}
            language={name}
            what={`${name.toLowerCase()} of entry ${seq}`}
            code={JSON.stringify(value, null, 2)}
          />
        ))}
      </div>
    </details>
  )
}

function titleOf({ kind, tool, output }: AgentRunStep): string {
  if (kind === 'tool') return `Calls ${tool}`
  if (kind === 'result') return isRefused(output) ? `${tool} did not work` : `${tool} answered`
  return kinds[kind] ?? kind
}

/** What an entry says in a sentence: what was thought, asked, or refused. */
function sentenceOf({ kind, output, input }: AgentRunStep): string | undefined {
  if (kind === 'ask') return textAt(input, 'question')
  if (kind === 'think') return textAt(output, 'text') ?? wantedOf(output)
  if (kind === 'result' && isRefused(output)) return textAt(Reflect.get(output, 'error'), 'message')
  return undefined
}

/** Which tools a thought wants to call. */
function wantedOf(output: unknown): string | undefined {
  const calls: unknown =
    typeof output === 'object' && output !== null ? Reflect.get(output, 'calls') : undefined
  const tools = Array.isArray(calls) ? calls.flatMap((call: unknown) => textAt(call, 'tool') ?? []) : []
  return tools.length === 0 ? undefined : `Next: ${tools.join(', ')}.`
}

function dotOf({ kind, output }: AgentRunStep): string {
  if (kind === 'end') return textAt(output, 'state') === 'completed' ? 'bg-good' : 'bg-bad'
  if (kind === 'result') return isRefused(output) ? 'bg-bad' : 'bg-good'
  return kind === 'tool' ? 'bg-accent' : 'bg-strong'
}

const isRefused = (output: unknown): output is { ok: false } =>
  typeof output === 'object' && output !== null && Reflect.get(output, 'ok') === false

function textAt(value: unknown, name: string): string | undefined {
  const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return typeof text === 'string' && text !== '' ? text : undefined
}
