import type { AgentRunStep } from '@symbolon/sdk/portal'
import { CodeBlock } from '../../ui/code.tsx'
import { Time } from '../../ui/time.tsx'
import { valueAt } from './value-at.ts'

const kinds: Record<string, string> = {
  think: 'Thought',
  note: 'Noted',
  delegate: 'Delegated',
  ask: 'Asked',
  resume: 'Resumed',
  end: 'Ended',
}

/** The steps of a run, in order, each with its input and output. */
export function RunJournal({ steps }: { steps: readonly AgentRunStep[] }) {
  if (steps.length === 0)
    return <p className="text-sm text-muted">No steps yet: the run is waiting to start.</p>
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
    ['Input', input],
    ['Output', output],
  ] as const
  const filled = shown.filter(([, value]) => value !== null && value !== undefined)
  if (filled.length === 0) return null
  return (
    <details>
      <summary className="w-fit text-xs text-accent hover:underline">Details</summary>
      <div className="mt-2 flex flex-col gap-2">
        {filled.map(([name, value]) => (
          <CodeBlock
            key={name}
            language={name}
            what={`${name.toLowerCase()} of step ${seq}`}
            code={JSON.stringify(value, null, 2)}
          />
        ))}
      </div>
    </details>
  )
}

function titleOf({ kind, tool, output }: AgentRunStep): string {
  if (kind === 'tool') return `Calls ${tool}`
  if (kind === 'result') return isRefused(output) ? `${tool} failed` : `${tool} returned`
  return kinds[kind] ?? kind
}

/** A step in a sentence: the thought, the question or the error. */
function sentenceOf({ kind, output, input }: AgentRunStep): string | undefined {
  if (kind === 'ask') return textAt(input, 'question')
  if (kind === 'think') return textAt(output, 'text') ?? wantedOf(output)
  if (kind === 'result' && isRefused(output)) return textAt(valueAt(output, 'error'), 'message')
  return undefined
}

/** The tools that a thought wants to call. */
function wantedOf(output: unknown): string | undefined {
  const calls = valueAt(output, 'calls')
  const tools = Array.isArray(calls) ? calls.flatMap((call: unknown) => textAt(call, 'tool') ?? []) : []
  return tools.length === 0 ? undefined : `Next: ${tools.join(', ')}.`
}

function dotOf({ kind, output }: AgentRunStep): string {
  if (kind === 'end') return textAt(output, 'state') === 'completed' ? 'bg-good' : 'bg-bad'
  if (kind === 'result') return isRefused(output) ? 'bg-bad' : 'bg-good'
  return kind === 'tool' ? 'bg-accent' : 'bg-strong'
}

const isRefused = (output: unknown): boolean => valueAt(output, 'ok') === false

function textAt(value: unknown, name: string): string | undefined {
  const text = valueAt(value, name)
  return typeof text === 'string' && text !== '' ? text : undefined
}
