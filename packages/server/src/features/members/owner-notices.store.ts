import type { Queryable } from '../../db/pool.ts'

/** Emails to an owner about one company within 24 hours. */
const noticesMax = 20

/** The statements of the emails to owners. */
export const ownerNoticesStore = {
  /**
   * Counts one more email to each of the users about the organization, where there is room for it: any 24 hours have 20 at most, by the
   * database's clock. Returns those who may be sent one, with whether it is the last for now. Ends with the transaction.
   */
  async take(
    tx: Queryable,
    organizationId: string,
    userIds: readonly string[],
  ): Promise<Map<string, { isLast: boolean }>> {
    // The users in one order: two changes never wait for each other's rows in a circle.
    const rows = await tx<{ userId: string; sent: number }[]>`
      insert into owner_notices as n (organization_id, user_id, sent_at)
      select ${organizationId}, u.id, array[app_now()] from unnest(${[...userIds]}::uuid[]) as u(id) order by u.id
      on conflict (organization_id, user_id) do update
        set sent_at = array(select t from unnest(n.sent_at) t where t > app_now() - interval '24 hours') || app_now()
        where (select count(*) from unnest(n.sent_at) t where t > app_now() - interval '24 hours') < ${noticesMax}
      returning n.user_id as "userId", cardinality(n.sent_at) as sent`
    return new Map(rows.map(({ userId, sent }) => [userId, { isLast: sent === noticesMax }]))
  },
}
