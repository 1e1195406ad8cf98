import { CopyButton } from './copy-button.tsx'

/** Code to copy, under the name of its `language`; it is not coloured. */
export function CodeBlock({ code, what, language }: { code: string; what: string; language: string }) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-lg border border-line bg-sunken">
      <figcaption className="flex items-center justify-between border-b border-line py-0.5 pr-1 pl-3 text-xs text-muted">
        {language}
        <CopyButton text={code} what={what} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box has to be reachable by keyboard. */}
      <pre tabIndex={0} className="overflow-x-auto p-3 font-mono text-xs leading-relaxed text-ink">
        {code}
      </pre>
    </figure>
  )
}

/** An id, address or other text for machines, on one line. It copies in full; `isShort` shows its two ends only. */
export function Mono({ text, what, isShort = false }: { text: string; what: string; isShort?: boolean }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-0.5">
      <span className="truncate font-mono text-xs" title={text}>
        {isShort && text.length > 18 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text}
      </span>
      <CopyButton text={text} what={what} className="-my-2" />
    </span>
  )
}
