import { type DialogPanel, dialogPanel } from './dialog-panel.ts'
import type { DialogParts, DialogScope } from './dialog-scope.ts'
import type { DialogsOptions } from './dialogs.ts'
import { element } from './element.ts'
import { trapFocus } from './focus-trap.ts'
import { watchPresses } from './press-origin.ts'
import { watchReadingEnd } from './reading-end.ts'
import { watchSight } from './sight.ts'

/** How a dialog opens: `page` is the requester; `onEscape` handles the Escape key, which is ignored without it. */
export type DialogPlan<result> = {
  readonly page: string | null
  /** Only its actions must be uncovered: password managers lay icons over fields. */
  readonly hasFields?: boolean
  /** Whether the next dialog may take its place. */
  readonly isReplaceable?: boolean
  onEscape?(): result
  build(scope: DialogScope<result>): DialogParts
}

/** The place where one dialog at a time is shown. */
export type Stage = {
  /** Opens a dialog and resolves with its result; rejects with `signal.reason` when that aborts. */
  show<result>(plan: DialogPlan<result>, signal: AbortSignal): Promise<result>
  /** Whether anything is shown, or was until the task that runs. */
  isOpen(): boolean
  /** Whether a dialog is open that no other may replace. */
  isTaken(): boolean
}

type Opened = { readonly isReplaceable: boolean; close(): void }

/** The stage in the frame's page. Closed dialogs leave no text in the document. */
export function createStage({ root, organization, onOpen }: DialogsOptions): Stage {
  let current: Opened | undefined
  let isShown = false

  function setShown(isIt: boolean) {
    if (isIt === isShown) return
    isShown = isIt
    onOpen(isIt)
  }

  /** A dialog that leaves: the next one may follow in the same task without the page seeing a gap. */
  function left() {
    current = undefined
    setTimeout(() => setShown(current !== undefined), 0)
  }

  async function show<result>(plan: DialogPlan<result>, signal: AbortSignal): Promise<result> {
    signal.throwIfAborted()
    if (current?.isReplaceable === false) throw new Error('Another dialog is open.')
    current?.close()
    return new Promise((resolve, reject) => {
      const gone = new AbortController()
      const panel = dialogPanel(organization, plan.page)
      const backdrop = element('div', { class: 'backdrop' }, panel.element)
      const close = () => {
        if (gone.signal.aborted) return
        gone.abort()
        blank(backdrop)
        left()
      }
      const finish = (result: result) => {
        close()
        resolve(result)
      }
      const fail = (error: unknown) => {
        close()
        reject(error)
      }
      const scope = { ...watched(panel, plan, gone.signal), finish, fail }
      const parts = plan.build(scope)
      panel.fill(parts)
      root.append(backdrop)
      current = { isReplaceable: plan.isReplaceable === true, close }
      signal.addEventListener('abort', () => fail(signal.reason), { signal: gone.signal })
      trapFocus(panel.element, gone.signal)
      const leave = plan.onEscape
      if (leave !== undefined) onEscape(gone.signal, () => finish(leave()))
      setShown(true)
      holdFocus(panel.element, parts.focusFirst ?? panel.heading, scope)
    })
  }

  return { show, isOpen: () => isShown, isTaken: () => current?.isReplaceable === false }
}

/** The state of an open panel. */
function watched<result>(
  panel: DialogPanel,
  { hasFields }: DialogPlan<result>,
  signal: AbortSignal,
): Omit<DialogScope<result>, 'finish' | 'fail'> {
  const listeners: (() => void)[] = []
  const changed = () => {
    for (const listener of listeners) listener()
  }
  const reading = watchReadingEnd(panel.scroller, panel.end, signal, changed)
  return {
    signal,
    sight: watchSight(hasFields === true ? panel.actions : panel.element, signal, changed),
    presses: watchPresses(window, signal),
    isReadToEnd: reading.isReached,
    onChange: (listener) => listeners.push(listener),
  }
}

/**
 * Focuses `first`; again whenever the focus is outside, as it stays while the page does not show the frame yet. A field
 * with the focus stands clear of the actions, after a tap on what was seen of it and when a keyboard takes room, too.
 */
function holdFocus(
  panel: HTMLElement,
  first: HTMLElement,
  { signal, onChange }: Pick<DialogScope<never>, 'signal' | 'onChange'>,
) {
  const hold = () => {
    if (!signal.aborted && !panel.contains(document.activeElement)) first.focus({ preventScroll: true })
  }
  const clear = () => {
    const { activeElement } = document
    const isField = activeElement instanceof HTMLInputElement && panel.contains(activeElement)
    if (isField && window.innerHeight > 0) activeElement.scrollIntoView({ block: 'nearest' })
  }
  panel.addEventListener('focusin', clear)
  window.addEventListener('resize', clear, { signal })
  hold()
  onChange(hold)
  window.addEventListener('focus', hold, { signal })
}

function onEscape(signal: AbortSignal, leave: () => void) {
  const listener = ({ key, repeat, isComposing }: KeyboardEvent) => {
    if (key === 'Escape' && !repeat && !isComposing) leave()
  }
  document.addEventListener('keydown', listener, { signal })
}

/** Removes an element, and first every text that it holds: a node that something still refers to is empty. */
function blank(removed: HTMLElement): void {
  for (const field of removed.querySelectorAll('input')) field.value = ''
  const texts = document.createTreeWalker(removed, NodeFilter.SHOW_TEXT)
  while (texts.nextNode() !== null) if (texts.currentNode instanceof Text) texts.currentNode.data = ''
  removed.remove()
}
