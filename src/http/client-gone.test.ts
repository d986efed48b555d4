import 'reflect-metadata';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { expect, it } from 'vitest';
import { ClientGone, tellGone } from './parameters.js';

class Route {
  answer(@ClientGone() _gone: AbortSignal): void {
    return;
  }
}

interface Parameter {
  readonly factory: (data: unknown, context: ExecutionContext) => AbortSignal;
}

function signalOf(raw: ServerResponse): AbortSignal {
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, Route, 'answer') as Record<string, Parameter>;
  const context = { switchToHttp: () => ({ getResponse: () => ({ raw }) }) } as unknown as ExecutionContext;
  return Object.values(parameters)[0]!.factory(undefined, context);
}

function responseOn(socket: Socket): ServerResponse {
  const response = new ServerResponse(new IncomingMessage(socket));
  response.assignSocket(socket);
  return response;
}

it('a caller is gone when the response closes unfinished', () => {
  const response = responseOn(new Socket());
  const signal = signalOf(response);
  expect(signal.aborted).toBe(false);
  tellGone(response);
  expect(signal.aborted).toBe(true);
});

it('a caller who left before anybody asked is gone at once', () => {
  const socket = new Socket();
  const response = responseOn(socket);
  socket.emit('close');
  expect(signalOf(response).aborted).toBe(true);
});
