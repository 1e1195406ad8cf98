import type { Queryable } from '../../../db/pool.ts'
import { onlyValue } from '../../../db/sure-rows.ts'

/** A foreign key that is put aside while tables are filled in any order. */
type ForeignKey = { table: string; name: string; definition: string }

/** A counter that a restore must not lower: its key, what is counted, and the row that it belongs to where that is in another table. */
type Counter = { table: string; key: readonly string[]; value: string; owner?: { table: string; by: string } }

/** In this order, since a raised wallet's month raises that of its organization, and this that of the installation. */
const counters: readonly Counter[] = [
  {
    table: 'sponsor_months',
    key: ['wallet_id', 'month'],
    value: 'settled_micro',
    owner: { table: 'wallets', by: 'wallet_id' },
  },
  {
    table: 'organization_gas_months',
    key: ['organization_id', 'month'],
    value: 'settled_micro',
    owner: { table: 'organizations', by: 'organization_id' },
  },
  { table: 'installation_gas_months', key: ['month'], value: 'settled_micro' },
  {
    table: 'usage_days',
    key: ['organization_id', 'day', 'kind'],
    value: 'amount',
    owner: { table: 'organizations', by: 'organization_id' },
  },
  {
    table: 'agent_nonces',
    key: ['wallet_id', 'chain'],
    value: 'next',
    owner: { table: 'wallets', by: 'wallet_id' },
  },
  {
    table: 'agent_counters',
    key: ['session_id', 'counter'],
    value: 'spent',
    owner: { table: 'agent_sessions', by: 'session_id' },
  },
]

/** The statements of a restore, all in one transaction. Names of tables come from the catalogue. */
export const restoreStore = {
  /** Whether a service, or another command, is connected to the database under our name. */
  async hasOthers(sql: Queryable): Promise<boolean> {
    const rows = await sql`
      select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend' and application_name = current_setting('application_name')`
    return rows.length > 0
  },

  /** Whether the schema has been made. */
  async hasSchema(sql: Queryable): Promise<boolean> {
    return onlyValue(
      await sql<{ has: boolean }[]>`select to_regclass('symbolon_schema') is not null as has`,
      'has',
    )
  },

  /** Keeps the counters of the database beside it, then empties all tables. Nobody else can use them until the transaction ends. */
  async empty(tx: Queryable, tables: readonly string[]): Promise<ForeignKey[]> {
    const list = tables.map((table) => tx.identifier(table).text).join(', ')
    await tx.unsafe(`lock table ${list} in access exclusive mode`)
    for (const { table, key, value } of counters)
      await tx.unsafe(
        `create temporary table kept_${table} on commit drop as select ${key.join(', ')}, ${value} from ${table}`,
      )
    await tx`create temporary table kept_enclave_marks on commit drop as select * from enclave_marks`
    await tx`create temporary table kept_wallets on commit drop as select id, status from wallets`
    const keys = await tx<ForeignKey[]>`
      select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`
    for (const { table, name } of keys) await tx.unsafe(`alter table ${table} drop constraint ${name}`)
    for (const table of tables)
      await tx.unsafe(`alter table ${tx.identifier(table).text} disable trigger user`)
    await tx.unsafe(`truncate ${list}`)
    return [...keys]
  },

  /** Brings back what `empty` put aside; rejects where a row refers to one that is not there. */
  async close(tx: Queryable, tables: readonly string[], keys: readonly ForeignKey[]): Promise<void> {
    for (const { table, name, definition } of keys)
      await tx.unsafe(`alter table ${table} add constraint ${name} ${definition}`)
    for (const table of tables)
      await tx.unsafe(`alter table ${tx.identifier(table).text} enable trigger user`)
    // Checks that wait for the end of the transaction would stand in the way of further changes of the tables.
    await tx.unsafe('set constraints all immediate')
    const sequences = await tx<{ table: string; column: string; name: string }[]>`
      select quote_ident(table_name) as table, quote_ident(column_name) as column,
        pg_get_serial_sequence(quote_ident(table_name), column_name) as name
      from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`
    for (const { table, column, name } of sequences)
      await tx.unsafe(
        `select setval('${name}', coalesce((select max(${column}) from ${table}), 0) + 1, false)`,
      )
  },

  /** Raises each counter to what it was before, where its owner is in the backup. */
  async raiseCounters(tx: Queryable): Promise<void> {
    await tx.unsafe(`
      update agent_counters c set cap = greatest(c.cap, k.spent + c.reserved) from kept_agent_counters k
      where c.session_id = k.session_id and c.counter = k.counter and c.cap is not null`)
    for (const { table, key, value, owner } of counters)
      await tx.unsafe(`
        insert into ${table} as c (${key.join(', ')}, ${value})
        select ${key.map((name) => `k.${name}`).join(', ')}, k.${value} from kept_${table} k
        where ${owner === undefined ? true : `exists (select from ${owner.table} o where o.id = k.${owner.by})`}
        on conflict (${key.join(', ')}) do update set ${value} = greatest(c.${value}, excluded.${value})`)
  },

  /** Keeps the enclave's marks of before where they are the later ones of the same ring: the restored rows must not be older than what the enclave knows. */
  async keepMarks(tx: Queryable): Promise<void> {
    await tx`
      delete from enclave_marks m where (select max(of.number) from enclave_marks of)
        < (select max(k.number) from kept_enclave_marks k where k.ring_id = m.ring_id)`
    await tx`
      insert into enclave_marks select k.* from kept_enclave_marks k join enclave_rings r on r.id = k.ring_id
      where not exists (select from enclave_marks)`
  },

  /**
   * Raises the versions of rules and agents' policies above all that an enclave can have seen of an earlier epoch: it takes lower ones for a database that
   * somebody set back. Organizations that had no rules get empty ones: it may have seen some.
   */
  async raiseVersions(tx: Queryable, epoch: number): Promise<void> {
    await tx`
      insert into organization_rules (organization_id, rules)
      select id, '{}' from organizations on conflict (organization_id) do nothing`
    await tx`update organization_rules set version = (${epoch}::bigint << 32) + (version & 4294967295)`
    await tx`update agents set policy_version = (${epoch}::bigint << 32) + (policy_version & 4294967295)`
  },

  /** Tells the enclave of wallets that are archived, or active, only since the restore. */
  async noteWallets(tx: Queryable): Promise<void> {
    await tx`
      insert into enclave_notes (organization_id, kind, subject_id)
      select w.organization_id, 'wallet_' || w.status, w.id from wallets w join kept_wallets k on k.id = w.id
      where w.signing_mode = 'tee' and w.status <> k.status`
  },

  /** Ends what was under way: tokens, sessions, processes with a code, runs, and operations that nobody submitted. API keys stay. */
  async endSessions(tx: Queryable): Promise<void> {
    await tx`update organizations set auth_changed_at = app_now()`
    await tx`update email_codes set consumed_at = app_now() where consumed_at is null`
    await tx`update portal_sessions set ended_at = app_now() where ended_at is null`
    await tx`delete from portal_logins`
    await tx`update recovery_processes set state = 'expired' where state in ('open', 'delayed', 'verified')`
    await tx`update key_transfers set state = 'expired' where state in ('open', 'delayed')`
    await tx`
      select cancel_agent_runs(array(select id from agent_runs where ended_at is null), interval '1 hour')`
    await tx`
      update agent_sessions set status = 'revoked', grant_sealed = null, revoked_at = date_trunc('milliseconds', app_now())
      where status <> 'revoked'`
    await tx`update user_operations set state = 'expired' where state in ('building', 'built')`
  },

  /** Begins the next epoch, above that of the backup and that of the database. */
  async beginEpoch(tx: Queryable, epochBefore: number, takenAt: string): Promise<number> {
    const rows = await tx<{ epoch: number }[]>`
      insert into epochs (epoch, backup_taken_at)
      select greatest(max(epoch), ${epochBefore}::integer) + 1, ${takenAt}::timestamptz from epochs returning epoch`
    return onlyValue(rows, 'epoch')
  },
}
