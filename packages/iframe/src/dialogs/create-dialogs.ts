import { agreeDialog } from './agree-dialog.ts'
import { applyBrandColour } from './brand-colour.ts'
import { busyDialog } from './busy-dialog.ts'
import { callsDialog } from './calls-dialog.ts'
import { codeDialog } from './code-dialog.ts'
import { confirmDialog } from './confirm-dialog.ts'
import type { DialogParts, DialogScope } from './dialog-scope.ts'
import type { Dialogs, DialogsOptions } from './dialogs.ts'
import { exportWarningDialog } from './export-warning-dialog.ts'
import { keyDialog } from './key-dialog.ts'
import { revealDialog } from './reveal-dialog.ts'
import { createStage, type Stage } from './stage.ts'
import { createStrip } from './strip.ts'
import { waitDialog } from './wait-dialog.ts'

/** Work that ends sooner shows no dialog, in milliseconds: a flash helps nobody. */
const busyAfterMs = 200

/** The dialogs of the vault in the frame's page, in the organization's name and colour; texts from outside stay texts. */
export function createDialogs(options: DialogsOptions): Dialogs {
  const strip = createStrip(options.root, options.onStrip)
  const stage = createStage({
    ...options,
    onOpen(open) {
      if (open) strip.hide()
      options.onOpen(open)
    },
  })
  applyBrandColour(options.root, options.organization.brand_color)
  /** Shows a dialog with fields to fill in; Escape closes it with `cancelled`. */
  const ask = <value>(
    { pageOrigin }: { readonly pageOrigin: string },
    signal: AbortSignal,
    cancelled: value,
    build: (scope: DialogScope<value>) => DialogParts,
  ) => stage.show<value>({ page: pageOrigin, hasFields: true, onEscape: () => cancelled, build }, signal)

  return {
    confirm: (view, signal) =>
      stage.show(
        { page: view.pageOrigin, onEscape: () => false, build: (scope) => confirmDialog(view, scope) },
        signal,
      ),
    agree: (view, signal) =>
      stage.show(
        { page: view.pageOrigin, onEscape: () => false, build: (scope) => agreeDialog(view, scope) },
        signal,
      ),
    tellWait: (view, signal) =>
      stage.show<void>(
        { page: view.pageOrigin, onEscape: () => {}, build: (scope) => waitDialog(view, scope) },
        signal,
      ),
    tellCalls: (view, signal) =>
      stage.show<void>(
        { page: view.pageOrigin, onEscape: () => {}, build: (scope) => callsDialog(view, scope) },
        signal,
      ),
    askCode: (view, signal) =>
      ask(view, signal, false, (scope) => codeDialog(view, options.organization, scope)),
    askKey: (view, signal) => ask<string | null>(view, signal, null, (scope) => keyDialog(view, scope)),
    warnExport: (view, signal) => ask(view, signal, false, (scope) => exportWarningDialog(view, scope)),
    async reveal(view, signal) {
      let isUsed = false
      const onUse = () => {
        isUsed = true
      }
      await stage.show<void>(
        { page: view.pageOrigin, onEscape: () => {}, build: (scope) => revealDialog(view, scope, onUse) },
        signal,
      )
      return isUsed
    },
    say(text) {
      if (!stage.isOpen()) strip.show(text)
    },
    busy: busyOn(stage),
  }
}

/** Shows work that takes long, unless another dialog is open. */
const busyOn =
  (stage: Stage): Dialogs['busy'] =>
  (text, signal) => {
    const over = new AbortController()
    const either = AbortSignal.any([signal, over.signal])
    const open = () => {
      if (either.aborted || stage.isTaken()) return
      const plan = { page: null, isReplaceable: true, build: () => busyDialog(text) }
      stage.show(plan, either).catch(() => {})
    }
    // Between two dialogs the frame is open anyway: no gap.
    if (stage.isOpen()) open()
    else {
      const timer = setTimeout(open, busyAfterMs)
      either.addEventListener('abort', () => clearTimeout(timer))
    }
    return () => over.abort()
  }
