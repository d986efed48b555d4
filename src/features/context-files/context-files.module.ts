import { Module } from '@nestjs/common';
import { manageableBy } from '../../shared/principal.js';
import { Bin } from '../bin/bin.facade.js';
import { BinModule } from '../bin/bin.module.js';
import { ContextFileController } from './context-file.controller.js';
import { ContextFileRepository } from './context-file.repository.js';
import { ContextFileService } from './context-file.service.js';
import { ContextFilesFacade } from './context-files.facade.js';
import { DocumentFiles, DocumentSweeper } from './files/document-files.js';
import { PassageBatchRepository } from './passages/passage-batch.repository.js';
import { ContextFileLease, ContextFileReconciler, ContextFileRun } from './processing/context-file-run.js';
import { ContextFileWork } from './processing/context-file-work.js';
import { DocumentProcessing } from './processing/document-processing.js';
import { PassageIndexCaches } from './retrieval/passage-index-cache.js';
import { PassageFinder } from './retrieval/passage-finder.js';

@Module({
  imports: [BinModule],
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
    DocumentSweeper,
    PassageBatchRepository,
    PassageFinder,
  ],
  exports: [ContextFilesFacade],
})
export class ContextFilesModule {
  constructor(bin: Bin, files: ContextFileRepository, leases: ContextFileLease, work: ContextFileWork) {
    bin.holds({
      kind: 'context-file',
      things: files,
      nameOf: ({ filename }) => filename,
      deletableBy: manageableBy,
      whenRestored: () => ({}),
      remove: (file) => work.clear(leases.isAbandoned(file) ? { ...file, leaseOwner: null } : file),
    });
  }
}
