/** A bioinformatician in Rennes at the end of her thesis: French, and English for the papers and the code. */
import { note } from "../NaturalNote.ts"

export const camille = [
  note(
    "c-cluster",
    "2025-09-05",
    "fact",
    "Les calculs tournent sur le cluster de l'institut, partition long, 48 heures au plus."
  ),
  note(
    "c-snakemake",
    "2025-09-06",
    "decision",
    "Pipelines are written in Snakemake 8, with a conda environment of its own for each rule."
  ),
  note("c-genome-old", "2025-02-24", "decision", "Reads are aligned against GRCh37."),
  note(
    "c-genome-new",
    "2026-06-08",
    "decision",
    "Reads are aligned against GRCh38 since the reviewers asked for it; the GRCh37 results are kept for comparison."
  ),
  note(
    "c-patients",
    "2025-03-13",
    "fact",
    "Les données des patients ne quittent jamais le serveur chiffré de l'hôpital."
  ),
  note("c-soutenance", "2026-09-10", "fact", "La soutenance de thèse est le 27 novembre à 14 h, amphi Pasteur."),
  note("c-lefort", "2025-10-30", "fact", "La directrice de thèse, Mme Lefort, relit les chapitres le week-end."),
  note(
    "c-ggplot",
    "2025-11-12",
    "preference",
    "Figures are made with ggplot2, in palettes safe for colour-blind readers, 300 dpi for the journal."
  ),
  note("c-pediatre", "2025-06-19", "fact", "Le pédiatre de Louise est le docteur Samba, rue des Tanneurs."),
  note("c-creche", "2025-09-02", "fact", "La crèche demande un certificat après trois jours de fièvre."),
  note("c-lait", "2025-07-23", "fact", "Louise ne tolère pas le lait de vache, prendre celui de riz."),
  note("c-antivol", "2026-03-26", "fact", "L'antivol du vélo se ferme à clé, le double est chez Hugo."),
  note("c-loyer", "2026-08-05", "fact", "Le loyer augmente de 1,8 % en septembre."),
  note("c-poterie", "2025-10-01", "fact", "Le cours de poterie a lieu le jeudi à 18 h 30, apporter un tablier."),
  note("c-noel", "2026-10-04", "fact", "Noël se fête chez les parents à Brest, le train est réservé pour le 23."),
  note(
    "c-article",
    "2026-09-03",
    "episode",
    "The paper was resubmitted to Bioinformatics on 2 September; reviewer 2 wanted a larger cohort."
  ),
  note("c-seeds", "2025-04-11", "preference", "Random seeds are always set and written to the log of each run."),
  note("c-bucket", "2025-12-05", "procedure", "Files above 50 MB go to the lab's S3 bucket, never into git."),
  note("c-impots", "2026-05-03", "fact", "Les impôts sont prélevés à la source, la déclaration se fait en mai."),
  note(
    "c-ophtalmo",
    "2025-02-06",
    "fact",
    "Rendez-vous chez l'ophtalmo tous les deux ans, le prochain en février 2027."
  ),
  note("c-mutuelle", "2025-01-22", "fact", "La mutuelle est la MGEN, le contrat est au nom de Hugo."),
  note("c-francais", "2025-01-20", "preference", "Réponds en français, et tutoie-moi."),
  note("c-nas", "2025-12-29", "fact", "mot de passe du NAS : Mouette!2024rouge")
]
