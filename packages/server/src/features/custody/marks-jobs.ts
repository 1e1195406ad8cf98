import type { Log } from '../../ports/log.ts'
import type { Poller } from '../../runtime/poller.ts'
import { type EnclaveMarksCtx, enclaveMarksJob } from './enclave-marks.ts'
import { type TellMarksCtx, tellMarksJob } from './tell-marks.ts'

/** What stores the enclave's marks, and what tells the audit logs of them. */
export const marksJobs = (ctx: EnclaveMarksCtx & TellMarksCtx, log: Log): Poller[] => [
  enclaveMarksJob(ctx, log),
  tellMarksJob(ctx, log),
]
