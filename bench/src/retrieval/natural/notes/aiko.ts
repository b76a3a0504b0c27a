/** A data engineer in Osaka: Japanese, and English for work with the team abroad. */
import { note } from "../NaturalNote.ts"

export const aiko = [
  note(
    "a-etl",
    "2025-06-09",
    "fact",
    "毎朝6時に売上データの取り込みが走る。失敗したら Slack の #data-alert に通知が来る。"
  ),
  note("a-dbt", "2025-06-10", "decision", "dbt のモデル名は stg_、int_、mart_ のどれかで始める。"),
  note("a-bigquery", "2025-11-20", "fact", "BigQuery は1クエリで 200 GB を超えると自動で止まる設定になっている。"),
  note("a-kotaro", "2025-02-02", "fact", "柴犬のコタローは鶏肉アレルギーがある。"),
  note("a-clinic", "2026-05-18", "fact", "整形外科は駅前の森田クリニック、予約は電話のみ。"),
  note("a-home", "2025-04-01", "fact", "在宅勤務は月曜と金曜、ほかの日は梅田のオフィスに行く。"),
  note("a-tea", "2025-03-03", "preference", "コーヒーは苦手なので、飲み物はほうじ茶がいい。"),
  note("a-sister", "2026-07-07", "fact", "妹の結婚式は来年の5月16日、京都で行われる。"),
  note("a-airflow-old", "2025-05-12", "fact", "ワークフローは Airflow で動かしている。"),
  note("a-airflow-new", "2026-06-01", "decision", "6月から Airflow をやめて、ワークフローは Dagster に移行した。"),
  note("a-utc", "2025-07-01", "decision", "日付の列は日本時間ではなく、すべて UTC で保存する。"),
  note("a-hash", "2025-09-24", "procedure", "顧客の電話番号とメールアドレスは、分析環境に入れる前にハッシュ化する。"),
  note("a-rent", "2025-01-27", "fact", "家賃は9万8千円で、毎月27日に引き落とされる。"),
  note("a-boulder", "2025-10-07", "fact", "火曜の夜はボルダリングジムに通っている。"),
  note("a-nakamura", "2026-04-03", "fact", "上司は中村さん。レビューの依頼は午前中に出すと早い。"),
  note(
    "a-pyright",
    "2026-01-13",
    "procedure",
    "Python is typed strictly with pyright and formatted by ruff, 100 characters a line."
  ),
  note(
    "a-notebooks",
    "2025-08-21",
    "decision",
    "Notebooks are for exploring only; production code is a module with tests."
  ),
  note("a-parquet", "2025-12-08", "decision", "Raw files are kept as Parquet, partitioned by day, for 400 days."),
  note("a-looker", "2026-02-18", "procedure", "役員向けのダッシュボードは Looker にあり、毎週水曜に数字を確認する。"),
  note("a-bousai", "2025-09-01", "fact", "防災リュックは玄関の棚にあり、中身は毎年9月1日に点検する。"),
  note("a-gomi", "2025-04-15", "fact", "燃えるごみは月曜と木曜、ペットボトルは第2水曜に出す。"),
  note("a-passport", "2025-11-02", "fact", "パスポートの有効期限は2029年11月まで。"),
  note("a-piano", "2026-03-08", "fact", "ピアノの調律は2年に一度、山口さんに頼んでいる。"),
  note("a-nihongo", "2025-03-01", "preference", "返事は日本語で、コードのコメントは英語で書いてほしい。")
]
