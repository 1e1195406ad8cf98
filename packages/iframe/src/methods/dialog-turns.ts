import type { Dialogs } from '../dialogs/dialogs.ts'
import { FrameFailure } from '../frame-failure.ts'

/** Runs what needs dialogs, one request at a time: a second one is `dialog_busy` until the first is over. */
export type DialogTurns = <value>(run: (dialogs: Dialogs) => Promise<value>) => Promise<value>

/** Makes the turns over the dialogs of one frame. */
export function dialogTurns(dialogs: Dialogs): DialogTurns {
  let isTaken = false
  return async (run) => {
    if (isTaken) throw new FrameFailure('dialog_busy')
    isTaken = true
    try {
      return await run(dialogs)
    } finally {
      isTaken = false
    }
  }
}
