import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { answerDeadline } from './answer-deadline.ts'

const request = () => ({ raw: { complete: true, destroyed: false } }) as FastifyRequest
const reply = { raw: { headersSent: false } } as FastifyReply

test('a request is given up after its own limit, neither with the shorter ones nor after the longer ones', async () => {
  const late: { request: FastifyRequest; limitMs: number }[] = []
  const deadline = answerDeadline(100, (given, _, limitMs) => late.push({ request: given, limitMs }))
  const [patient, usual, answered] = [request(), request(), request()]
  deadline.begin(patient, reply, 800)
  deadline.begin(usual, reply)
  deadline.begin(answered, reply)
  deadline.end(answered)
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(late).toEqual([{ request: usual, limitMs: 100 }])
  await new Promise((resolve) => setTimeout(resolve, 600))
  deadline.close()
  expect(late).toEqual([
    { request: usual, limitMs: 100 },
    { request: patient, limitMs: 800 },
  ])
})

test('an answer that has begun is not given up, however long its end takes', async () => {
  let late = 0
  const deadline = answerDeadline(100, () => late++)
  deadline.begin(request(), { raw: { headersSent: true } } as FastifyReply)
  await new Promise((resolve) => setTimeout(resolve, 600))
  deadline.close()
  expect(late).toBe(0)
})
