import { Module } from '@nestjs/common';
import { ContextFileController } from './context-file.controller.js';
import { ContextFileRepository } from './context-file.repository.js';
import { ContextFileService } from './context-file.service.js';
import { ContextFilesFacade } from './context-files.facade.js';
import { DocumentFiles, DocumentSweeper } from './files/document-files.js';
import { DocumentReceiver } from './files/document-receiver.js';
import { PassageBatchRepository, PassageCollectionRepository } from './passages/passage-batch.repository.js';
import { PassageWriter } from './passages/passage-writer.js';
import { ContextFileRun } from './processing/context-file-run.js';
import { ContextFileLease } from './processing/context-file-lease.js';
import { ContextFileReconciler } from './processing/context-file.reconciler.js';
import { ContextFileWork } from './processing/context-file-work.js';
import { DocumentProcessing } from './processing/document-processing.js';
import { PassageIndexCaches } from './retrieval/passage-index-caches.js';
import { PassageFinder } from './retrieval/passage-finder.js';

@Module({
  controllers: [ContextFileController],
  providers: [
    PassageIndexCaches,
    ContextFileLease,
    ContextFileReconciler,
    ContextFileRepository,
    ContextFileRun,
    ContextFileService,
    ContextFileWork,
    ContextFilesFacade,
    DocumentFiles,
    DocumentProcessing,
    DocumentReceiver,
    DocumentSweeper,
    PassageBatchRepository,
    PassageCollectionRepository,
    PassageFinder,
    PassageWriter,
  ],
  exports: [ContextFilesFacade],
})
export class ContextFilesModule {}
