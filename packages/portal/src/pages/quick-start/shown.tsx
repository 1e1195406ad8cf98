import { CodeBlock } from '../../ui/code.tsx'
import type { Snippet } from './snippets.ts'

/** A snippet in a step. */
export function Shown({ what, language, code }: Snippet & { what: string }) {
  return (
    <div className="text-ink">
      <CodeBlock what={what} language={language} code={code} />
    </div>
  )
}
