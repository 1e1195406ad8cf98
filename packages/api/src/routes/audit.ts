import * as z from 'zod'
import {
  AuditCheckpoint,
  AuditConsistency,
  AuditPage,
  AuditProof,
  ConsistencyQuery,
  ExportQuery,
  ListAuditEvents,
  ProofQuery,
} from '../audit-event.ts'
import { Id } from '../formats.ts'
import type { Route } from '../route.ts'

const OrgParams = z.strictObject({ orgID: Id })

/** A page of the company's audit log. */
export const listAuditEvents = {
  id: 'audit.list',
  method: 'GET',
  path: '/v1/orgs/{orgID}/audit',
  lane: 'portal',
  role: 'viewer',
  summary: 'List audit events, newest first',
  params: OrgParams,
  query: ListAuditEvents,
  status: 200,
  data: AuditPage,
  errors: [],
} as const satisfies Route

/** The log's signed head. */
export const getAuditCheckpoint = {
  id: 'audit.getCheckpoint',
  method: 'GET',
  path: '/v1/orgs/{orgID}/audit/checkpoint',
  lane: 'portal',
  role: 'viewer',
  summary: 'Read the signed head of the audit log',
  description:
    "Each company's events are an RFC 6962 Merkle log: a leaf is the event's exact export line, oldest first.",
  params: OrgParams,
  status: 200,
  data: AuditCheckpoint,
  errors: [],
} as const satisfies Route

/** That an event is in the log. */
export const getAuditProof = {
  id: 'audit.getProof',
  method: 'GET',
  path: '/v1/orgs/{orgID}/audit/{eventID}/proof',
  lane: 'portal',
  role: 'viewer',
  summary: 'Prove that an event is in the log',
  params: z.strictObject({ orgID: Id, eventID: Id }),
  query: ProofQuery,
  status: 200,
  data: AuditProof,
  errors: [],
} as const satisfies Route

/** That nothing was changed between two heads. */
export const getAuditConsistency = {
  id: 'audit.getConsistency',
  method: 'GET',
  path: '/v1/orgs/{orgID}/audit/consistency',
  lane: 'portal',
  role: 'viewer',
  summary: 'Prove that a later log begins with an earlier one',
  params: OrgParams,
  query: ConsistencyQuery,
  status: 200,
  data: AuditConsistency,
  errors: [],
} as const satisfies Route

/** The whole log. */
export const exportAuditLog = {
  id: 'audit.export',
  method: 'GET',
  path: '/v1/orgs/{orgID}/audit/export',
  lane: 'portal',
  role: 'viewer',
  summary: 'Export the audit log',
  description:
    'One event per line (RFC 8785 JSON), oldest first. Check it with the program at `/tools/verify.js`.',
  params: OrgParams,
  query: ExportQuery,
  status: 200,
  stream: 'application/x-ndjson',
  errors: [],
  answerLimitMs: 600_000,
  limit: 'portal-list',
} as const satisfies Route
