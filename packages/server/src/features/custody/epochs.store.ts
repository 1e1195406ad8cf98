import type { Queryable } from '../../db/pool.ts'
import { onlyValue } from '../../db/sure-rows.ts'

/** The statements on an installation's epochs. */
export const epochsStore = {
  /** The epoch that the installation is in, from 1. */
  async current(sql: Queryable): Promise<number> {
    return onlyValue(await sql<{ epoch: number }[]>`select max(epoch) as epoch from epochs`, 'epoch')
  },
}
